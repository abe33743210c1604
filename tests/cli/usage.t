NAME help names every subcommand
RUN kcost --help
EXPECT record
EXPECT top
EXPECT report
EXPECT list
EXPECT doctor

NAME no subcommand is a usage error that shows the way
RUN kcost
EXIT 2
EXPECT --help

NAME version
RUN kcost --version
EXPECT 0.1.0

NAME help of record
RUN kcost record --help
EXPECT --target
EXPECT --output
EXPECT --duration
EXPECT COMMAND

NAME help of top
RUN kcost top --help
EXPECT -b
EXPECT -n
EXPECT -g

NAME help of report names the formats and the weights
RUN kcost report --help
EXPECT table
EXPECT folded
EXPECT json
EXPECT --target
EXPECT --weight

NAME help of list
RUN kcost list --help
EXPECT --format

NAME help of doctor
RUN kcost doctor --help
EXPECT --self-test
EXPECT --json

NAME unknown subcommand
RUN kcost no-such-command
EXIT 2
EXPECT no-such-command

NAME unknown option of kcost
RUN kcost --no-such-option
EXIT 2
EXPECT --no-such-option

NAME unknown option of record
RUN kcost record --no-such-option
EXIT 2
EXPECT --no-such-option

NAME unknown option of report
RUN kcost report --no-such-option x.kcost
EXIT 2
EXPECT --no-such-option

NAME unknown option of top
RUN kcost top --no-such-option
EXIT 2
EXPECT --no-such-option

NAME unknown option of doctor
RUN kcost doctor --no-such-option
EXIT 2
EXPECT --no-such-option

NAME unknown option of list
RUN kcost list --no-such-option
EXIT 2
EXPECT --no-such-option

NAME option without its value
RUN kcost record -t
EXIT 2
EXPECT -t

NAME duration that is no number
RUN kcost record -d soon
EXIT 2
EXPECT soon

NAME number of tables that is no number
RUN kcost top -n many
EXIT 2
EXPECT many
