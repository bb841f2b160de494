package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.CredentialsConfig;
import dev.fusebox.config.MissingVariables;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.settings.StoredSecrets;
import dev.fusebox.oauth.secret.SecretStore;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The command `secret`, which stores, lists and removes secrets that a configuration refers to as
/// `${secret:NAME}`. For one thread; blocks on the store, and `set` on standard input.
final class SecretCommand {
    private static final CommandArguments.Grammar GRAMMAR =
            new CommandArguments.Grammar("secret", Set.of("--json"), Set.of("--config"));

    private static final String USAGE = "usage: secret set NAME, secret list, or secret remove NAME";
    private static final String BAD_NAME =
            "not a valid name of a secret: it has 1 to 64 characters from A-Z a-z 0-9 _ . -";
    private static final String NO_ARGUMENT = "set needs only a name: a value among the arguments would be visible to"
            + " other users; pass it on standard input, or type it when you are asked";

    private final Platform platform;
    private final InputStream in;
    private final @Nullable Prompt prompt;

    /// Asks for a secret without showing what is typed.
    interface Prompt {
        /// Null at the end of the input.
        char @Nullable [] password(String question);
    }

    SecretCommand(Platform platform) {
        this(platform, System.in, terminal());
    }

    /// @param in the value, if there is no prompt
    /// @param prompt null if standard input is not a terminal
    SecretCommand(Platform platform, InputStream in, @Nullable Prompt prompt) {
        this.platform = platform;
        this.in = in;
        this.prompt = prompt;
    }

    private static @Nullable Prompt terminal() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .<Prompt>map(console -> question -> console.readPassword("%s", question))
                .orElse(null);
    }

    /// The store that the configuration selects, and the servers that use each secret.
    private record Use(CredentialsConfig credentials, Map<String, List<String>> servers) {
        private List<String> of(String name) {
            return servers.getOrDefault(name, List.of());
        }

        /// The word in the configuration.
        private String store() {
            return credentials.store().name().toLowerCase(Locale.ROOT);
        }
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(GRAMMAR, arguments);
            List<String> names = commandArguments.names();
            String action = names.isEmpty() ? "" : names.getFirst();
            return switch (action) {
                case "set" -> set(name(names), commandArguments, output);
                case "list" -> list(commandArguments, output);
                case "remove" -> remove(name(names), commandArguments, output);
                default ->
                    throw CommandArguments.unknownAction("secret", action, List.of("set", "list", "remove"), USAGE);
            };
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: " + OutputText.plain(String.valueOf(failed.getMessage())));
            return ExitStatus.FAILED;
        }
    }

    /// No message repeats the words: one of them may be the secret.
    private static String name(List<String> words) throws ServeOptions.Problem {
        if (words.size() != 2) {
            boolean isValue = words.size() > 2 && words.getFirst().equals("set");
            throw new ServeOptions.Problem(isValue ? NO_ARGUMENT : USAGE);
        }
        if (!SecretStore.isName(words.getLast())) {
            throw new ServeOptions.Problem(BAD_NAME);
        }
        return words.getLast();
    }

    // ---- The actions

    private ExitStatus set(String name, CommandArguments commandArguments, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        Use use = use(commandArguments, output);
        SecretStore store = StoredSecrets.store(platform, use.credentials());
        byte[] value = value(name);
        try {
            store.write(name, value);
        } finally {
            Arrays.fill(value, (byte) 0);
        }
        if (commandArguments.has("--json")) {
            output.out().println(json(name, use).name("stored").bool(true).endObject());
        } else {
            output.out().println("stored " + name + " (" + use.store() + ")" + usedBy(use.of(name)));
        }
        if (!RunningGateways.files(platform).isEmpty()) {
            output.err()
                    .println("fusebox: a running gateway reads the secret when it is restarted, or when its"
                            + " configuration file changes");
        }
        return ExitStatus.DONE;
    }

    private ExitStatus remove(String name, CommandArguments commandArguments, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        Use use = use(commandArguments, output);
        SecretStore store = StoredSecrets.store(platform, use.credentials());
        if (!store.remove(name)) {
            String guess = SpellingSuggestion.nearest(name, store.names())
                    .map(near -> "; did you mean \"" + near + "\"?")
                    .orElse("; `" + FuseboxCommand.of("secret", "list") + "` lists all");
            throw new IOException("there is no secret " + name + " (" + use.store() + ")" + guess);
        }
        if (commandArguments.has("--json")) {
            output.out().println(json(name, use).name("removed").bool(true).endObject());
        } else {
            output.out().println("removed " + name + " (" + use.store() + ")" + usedBy(use.of(name)));
        }
        return ExitStatus.DONE;
    }

    private ExitStatus list(CommandArguments commandArguments, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        if (commandArguments.names().size() > 1) {
            throw new ServeOptions.Problem(USAGE);
        }
        Use use = use(commandArguments, output);
        List<String> stored = StoredSecrets.store(platform, use.credentials()).names();
        Set<String> all = new TreeSet<>(stored);
        all.addAll(use.servers().keySet());
        if (commandArguments.has("--json")) {
            JsonWriter json = new JsonWriter().beginObject().name("store").string(use.store());
            json.name("secrets").beginArray();
            all.forEach(name -> json(json, name, use)
                    .name("stored")
                    .bool(stored.contains(name))
                    .endObject());
            output.out().println(json.endArray().endObject());
            return ExitStatus.DONE;
        }
        if (all.isEmpty()) {
            output.out().println("no secrets are stored (" + use.store() + ")");
        }
        for (String name : all) {
            String state = stored.contains(name)
                    ? ""
                    : "  not stored; `" + FuseboxCommand.onFile("secret", "set", name) + "` stores it";
            output.out().println("  " + name + usedBy(use.of(name)) + state);
        }
        return ExitStatus.DONE;
    }

    private static String usedBy(List<String> servers) {
        return servers.isEmpty() ? ", not used by any server" : ", used by " + String.join(", ", servers);
    }

    private static JsonWriter json(String name, Use use) {
        return json(new JsonWriter(), name, use).name("store").string(use.store());
    }

    /// Begins an object.
    private static JsonWriter json(JsonWriter json, String name, Use use) {
        json.beginObject().name("name").string(name).name("servers").beginArray();
        use.of(name).forEach(json::string);
        return json.endArray();
    }

    // ---- The configuration

    /// Without a configuration file secrets are stored in files.
    private Use use(CommandArguments commandArguments, CommandOutput output) throws ServeOptions.Problem {
        String named = commandArguments.value("--config");
        Path path = named == null ? null : ConfigCommand.path(named);
        ConfigPlace place;
        try {
            place = ConfigPlace.findRunning(path, RunningGateways.files(platform), platform);
        } catch (ServeOptions.Problem none) {
            return new Use(CredentialsConfig.USUAL, Map.of());
        }
        place.printed(output);
        FuseboxCommand.uses(place.file());
        return switch (place.readWithoutSecrets(platform)) {
            case ReadResult.Usable(Configuration configuration, var _) ->
                new Use(configuration.credentials(), servers(configuration));
            case ReadResult.Refused refused -> {
                refused.lines().forEach(line -> output.err().println("fusebox: " + OutputText.plain(line)));
                throw new ServeOptions.Problem("cannot tell where secrets are stored: the configuration is invalid");
            }
        };
    }

    private static Map<String, List<String>> servers(Configuration configuration) {
        Map<String, List<String>> servers = new TreeMap<>();
        for (ServerConfig server : configuration.servers()) {
            ServerState state =
                    server.state() instanceof ServerState.Disabled(ServerState otherwise) ? otherwise : server.state();
            if (state instanceof ServerState.AwaitingConfig(List<String> missing)) {
                new MissingVariables(missing)
                        .secrets()
                        .forEach(name -> servers.computeIfAbsent(name, first -> new ArrayList<>())
                                .add(server.id()));
            }
        }
        return servers;
    }

    // ---- The value

    private byte[] value(String name) throws IOException, ServeOptions.Problem {
        byte[] value = prompt == null ? withoutLineEnd(in.readNBytes(SecretStore.MAX_BYTES + 2)) : asked(name, prompt);
        if (value.length == 0 || value.length > SecretStore.MAX_BYTES) {
            throw new ServeOptions.Problem(
                    value.length == 0
                            ? "no value was given on standard input"
                            : "the value is longer than " + SecretStore.MAX_BYTES + " bytes");
        }
        if (!isText(value)) {
            throw new ServeOptions.Problem("the value is not text in UTF-8 without NUL characters");
        }
        return value;
    }

    private static byte[] asked(String name, Prompt prompt) {
        char[] typed = prompt.password("Value of " + name + ": ");
        if (typed == null) {
            return new byte[0];
        }
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(typed));
        Arrays.fill(typed, '\0');
        byte[] value = new byte[encoded.remaining()];
        encoded.get(value);
        return value;
    }

    /// `echo` and editors end the text with a line end that is not part of it.
    private static byte[] withoutLineEnd(byte[] text) {
        int length = text.length;
        length -= length > 0 && text[length - 1] == '\n' ? 1 : 0;
        length -= length > 0 && length < text.length && text[length - 1] == '\r' ? 1 : 0;
        return Arrays.copyOf(text, length);
    }

    private static boolean isText(byte[] value) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
        } catch (CharacterCodingException binary) {
            return false;
        }
        for (byte each : value) {
            if (each == 0) {
                return false;
            }
        }
        return true;
    }
}
