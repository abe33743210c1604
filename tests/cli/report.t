NAME report needs a file
RUN kcost report
EXIT 2
EXPECT FILE

NAME file that is not there
RUN kcost report none.kcost
EXIT 1
EXPECT none.kcost
EXPECT No such file

NAME file of another kind
RUN echo hello >other.kcost; kcost report other.kcost
EXIT 1
EXPECT cannot read other.kcost

NAME empty file
RUN : >empty.kcost; kcost report empty.kcost
EXIT 1
EXPECT empty.kcost

NAME folder in place of a file
RUN mkdir folder.kcost; kcost report folder.kcost
EXIT 1
EXPECT folder.kcost

NAME JSON that is no recording
RUN echo '{"targets": 7}' >seven.kcost; kcost report seven.kcost
EXIT 1
EXPECT seven.kcost

NAME unknown format names those there are
RUN : >x.kcost; kcost report x.kcost --format no-such-format
EXIT 2
EXPECT no-such-format
EXPECT folded
EXPECT json

NAME unknown weight
RUN : >x.kcost; kcost report x.kcost --format folded --weight pounds
EXIT 2
EXPECT pounds

NAME a broken file is one error, not a crash
RUN head -c 4096 /dev/urandom >noise.kcost; kcost report noise.kcost
EXIT 1
EXPECT noise.kcost
REFUSE terminate called
