package dev.fusebox.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The command `completion`: what a shell needs to complete commands and options. Immutable.
record Completion(List<Command> commands, Help help) {
    private static final String SHELLS = "bash, zsh or fish";

    Exit run(List<String> arguments, Screen screen) {
        Optional<String> script = arguments.size() == 1 ? script(arguments.getFirst()) : Optional.empty();
        script.ifPresentOrElse(
                screen.out()::print,
                () -> screen.err().println("fusebox: completion takes the name of a shell, " + SHELLS));
        return script.isPresent() ? Exit.DONE : Exit.USAGE;
    }

    private Optional<String> script(String shell) {
        return switch (shell) {
            case "bash" -> Optional.of(bash());
            case "zsh" -> Optional.of(zsh());
            case "fish" -> Optional.of(fish());
            default -> Optional.empty();
        };
    }

    private String options(Command command) {
        return String.join(" ", help.options(command.name()));
    }

    private String bash() {
        return """
                _fusebox() {
                    local words=''
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        words='%s'
                    else
                        case ${COMP_WORDS[1]} in
                %s        esac
                    fi
                    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
                }
                complete -o default -F _fusebox fusebox ./fusebox
                """.formatted(names(), cases("            %s) words='%s' ;;%n"));
    }

    private String names() {
        return commands.stream().map(Command::name).collect(Collectors.joining(" "));
    }

    /// @param form with a place for a name and one for options
    private String cases(String form) {
        return commands.stream()
                .map(command -> form.formatted(command.name(), options(command)))
                .collect(Collectors.joining());
    }

    private String zsh() {
        String described = commands.stream()
                .map(command -> "        " + quoted(command.name() + ":" + command.purpose()) + "\n")
                .collect(Collectors.joining());
        return """
                #compdef fusebox
                _fusebox() {
                    local -a commands options
                    commands=(
                %s    )
                    if (( CURRENT == 2 )); then
                        _describe command commands
                        return
                    fi
                    case $words[2] in
                %s    esac
                    compadd -a options
                    _files
                }
                compdef _fusebox fusebox ./fusebox
                """.formatted(described, cases("        %s) options=(%s) ;;%n"));
    }

    private String fish() {
        StringBuilder script = new StringBuilder();
        for (Command command : commands) {
            script.append("complete -c fusebox -n __fish_use_subcommand -a ")
                    .append(command.name())
                    .append(" -d ")
                    .append(quoted(command.purpose()))
                    .append('\n');
            for (String option : help.options(command.name())) {
                script.append("complete -c fusebox -n '__fish_seen_subcommand_from ")
                        .append(command.name())
                        .append("' -l ")
                        .append(option.substring(2))
                        .append('\n');
            }
        }
        return script.toString();
    }

    /// For all three shells.
    private static String quoted(String text) {
        return "'" + text.replace("'", "") + "'";
    }
}
