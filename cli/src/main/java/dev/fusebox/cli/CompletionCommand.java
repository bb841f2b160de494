package dev.fusebox.cli;

import dev.fusebox.config.edit.ClientFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command `completion`, which prints completion scripts for commands, their arguments and options. Immutable.
record CompletionCommand(List<Command> commands, HelpTexts helpTexts) {

    ExitStatus run(List<String> arguments, CommandOutput output) {
        Optional<String> script = arguments.size() == 1 ? script(arguments.getFirst()) : Optional.empty();
        script.ifPresentOrElse(
                output.out()::print, () -> output.err().println("fusebox: usage: completion bash|zsh|fish"));
        return script.isPresent() ? ExitStatus.DONE : ExitStatus.USAGE;
    }

    private Optional<String> script(String shell) {
        return switch (shell) {
            case "bash" -> Optional.of(bash());
            case "zsh" -> Optional.of(zsh());
            case "fish" -> Optional.of(fish());
            default -> Optional.empty();
        };
    }

    /// The words that may follow a command: its arguments and options.
    private String words(Command command) {
        Stream<String> own = command.name().equals("help")
                ? commands.stream().map(Command::name)
                : helpTexts.words(command.name()).stream();
        return Stream.concat(own, helpTexts.options(command.name()).stream()).collect(Collectors.joining(" "));
    }

    /// The values of all options that accept one of a fixed set.
    private Map<String, String> choices() {
        Map<String, String> choices = new TreeMap<>();
        commands.forEach(command -> choices.putAll(helpTexts.choices(command.name())));
        String clients = Stream.of(ClientFile.values()).map(ClientFile::id).collect(Collectors.joining(" "));
        choices.put("--client", clients);
        choices.put("--from", clients);
        return choices;
    }

    /// @param form with placeholders for an option and its values
    private String choices(String form) {
        return choices().entrySet().stream()
                .map(choice -> form.formatted(choice.getKey(), choice.getValue()))
                .collect(Collectors.joining());
    }

    private String bash() {
        return """
                _fusebox() {
                    local words=''
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        words='%s'
                    else
                        case ${COMP_WORDS[COMP_CWORD-1]} in
                %s            *)
                                case ${COMP_WORDS[1]} in
                %s                esac ;;
                        esac
                    fi
                    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
                }
                complete -o default -F _fusebox fusebox ./fusebox
                """.formatted(
                names(), choices("            %s) words='%s' ;;%n"), cases("                    %s) words='%s' ;;%n"));
    }

    private String names() {
        return commands.stream().map(Command::name).collect(Collectors.joining(" "));
    }

    /// @param form with placeholders for a name and its options
    private String cases(String form) {
        return commands.stream()
                .map(command -> form.formatted(command.name(), words(command)))
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
                    case $words[CURRENT-1] in
                %s    esac
                    case $words[2] in
                %s    esac
                    compadd -a options
                    _files
                }
                compdef _fusebox fusebox ./fusebox
                """.formatted(
                described, choices("        %s) compadd %s; return ;;%n"), cases("        %s) options=(%s) ;;%n"));
    }

    private String fish() {
        StringBuilder script = new StringBuilder();
        for (Command command : commands) {
            script.append("complete -c fusebox -n __fish_use_subcommand -a ")
                    .append(command.name())
                    .append(" -d ")
                    .append(quoted(command.purpose()))
                    .append('\n');
            String seen = "complete -c fusebox -n '__fish_seen_subcommand_from " + command.name() + "' ";
            for (String word : helpTexts.words(command.name())) {
                script.append(seen).append("-a ").append(word).append('\n');
            }
            for (String option : helpTexts.options(command.name())) {
                String values = choices().get(option);
                script.append(seen)
                        .append("-l ")
                        .append(option.substring(2))
                        .append(values == null ? "" : " -x -a '" + values + "'")
                        .append('\n');
            }
        }
        return script.toString();
    }

    /// Quoted for all three shells.
    private static String quoted(String text) {
        return "'" + text.replace("'", "") + "'";
    }
}
