package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets that are stored from the command line, and configurations that use them.
@Tag("process")
class SecretCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform = Platform.system();
    private Path file = Path.of("");

    @BeforeEach
    void open() {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", "/usr/local/bin:/usr/bin:/bin"));
        file = home.resolve("config.json");
    }

    private ExitStatus run(String input, SecretCommand.@Nullable Prompt prompt, String... words) {
        out.reset();
        err.reset();
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new SecretCommand(platform, new ByteArrayInputStream(input.getBytes(UTF_8)), prompt)
                .run(List.of(words), output);
    }

    private ExitStatus run(String input, String... words) {
        return run(input, null, words);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }

    private void config(String more) throws IOException {
        Files.writeString(file, """
                {"mcpServers": {
                  "jira": {"url": "https://h/", "headers": {"Authorization": "Bearer ${secret:JIRA}"}},
                  "wiki": {"command": "c", "env": {"T": "${secret:JIRA}", "U": "${secret:WIKI}"}, "disabled": true}}%s}
                """.formatted(more));
    }

    private ServerState jira() {
        ReadResult read = ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE);
        if (read instanceof ReadResult.Usable usable) {
            return usable.configuration().servers().getFirst().state();
        }
        throw new AssertionError(read);
    }

    private void assertAuthorized(String header) {
        assertThat(jira())
                .isInstanceOfSatisfying(
                        ServerState.Ready.class,
                        ready -> assertThat(ready.endpoint())
                                .isInstanceOfSatisfying(
                                        ServerEndpoint.Http.class,
                                        http -> assertThat(http.remote().headers())
                                                .containsEntry("Authorization", header)));
    }

    @Test
    void stored_secret_reaches_the_servers_that_refer_to_it() throws IOException {
        config("");
        assertThat(jira()).isEqualTo(new ServerState.AwaitingConfig(List.of("secret:JIRA")));

        assertThat(run("s3cr3t value\n", "set", "JIRA")).isEqualTo(ExitStatus.DONE);

        assertThat(out()).isEqualTo("stored JIRA (file), used by jira, wiki\n");
        assertAuthorized("Bearer s3cr3t value");
        assertThat(run("", "remove", "JIRA")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("removed JIRA (file), used by jira, wiki\n");
        assertThat(jira()).isEqualTo(new ServerState.AwaitingConfig(List.of("secret:JIRA")));
    }

    @Test
    void list_has_names_and_uses_and_no_values() throws IOException {
        config("");
        run("s3cr3t-value", "set", "JIRA");
        run("s3cr3t-other", "set", "OTHER");

        assertThat(run("", "list")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("""
                  JIRA, used by jira, wiki
                  OTHER, not used by any server
                  WIKI, used by wiki  not stored; `./fusebox secret set WIKI` stores it
                """.indent(2).replaceAll("(?m)^ {4}", "  "));
        assertThat(run("", "list", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualToIgnoringNewLines("""
                        {"store":"file","secrets":[{"name":"JIRA","servers":["jira","wiki"],"stored":true},\
                        {"name":"OTHER","servers":[],"stored":true},{"name":"WIKI","servers":["wiki"],"stored":false}]}\
                        """);
    }

    @Test
    void secrets_need_no_configuration() {
        assertThat(run("value", "set", "A", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .isEqualToIgnoringNewLines("{\"name\":\"A\",\"servers\":[],\"store\":\"file\",\"stored\":true}");
        assertThat(run("", "list")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("  A, not used by any server\n");
        assertThat(run("", "remove", "A", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(run("", "list")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("no secrets are stored (file)\n");
    }

    @Test
    void terminal_is_asked_without_echo() throws IOException {
        config("");

        assertThat(run("not this", question -> (question + "x").toCharArray(), "set", "JIRA"))
                .isEqualTo(ExitStatus.DONE);

        assertAuthorized("Bearer Value of JIRA: x");
    }

    @Test
    void value_among_the_arguments_is_refused_and_not_repeated() {
        assertThat(run("", "set", "A", "s3cr3t")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("pass it on standard input").doesNotContain("s3cr3t");
        assertThat(run("", "set", "A=s3cr3t")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("not a valid name of a secret").doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", "a\0b"})
    void value_that_is_no_text_is_refused(String value) {
        assertThat(run(value, "set", "A")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("", "list")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("no secrets are stored (file)\n");
    }

    @Test
    void closed_terminal_stores_nothing() {
        assertThat(run("", question -> null, "set", "A")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("no value was given");
    }

    @Test
    void only_the_last_line_end_is_no_part_of_the_value() throws IOException {
        config("");
        run("a\nb\r\n", "set", "JIRA");
        assertThat(jira()).as("a header has one line, so the value has two").isInstanceOf(ServerState.Faulty.class);
        run("a b\r\n", "set", "JIRA");
        assertAuthorized("Bearer a b");
    }

    @Test
    void longest_value_is_stored_and_a_longer_one_is_refused() {
        assertThat(run("x".repeat(65_536) + "\n", "set", "A")).isEqualTo(ExitStatus.DONE);
        assertThat(run("x".repeat(65_537), "set", "B")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("longer than 65536 bytes");
    }

    @Test
    void unknown_secret_is_not_removed() {
        run("v", "set", "JIRA_TOKEN");

        assertThat(run("", "remove", "JIRA_TOKN")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("there is no secret JIRA_TOKN (file); did you mean \"JIRA_TOKEN\"?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get A", "set", "remove", "list A", "sett A"})
    void wrong_arguments_are_refused(String words) {
        assertThat(run("v", words.split(" ", -1))).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("secret");
    }

    @Test
    void invalid_configuration_is_reported() throws IOException {
        Files.writeString(file, "{\"credentials\": {\"store\": \"somewhere\"}, \"mcpServers\": {}}");

        assertThat(run("v", "set", "A")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("/credentials/store", "cannot tell where secrets are stored");
    }

    @Test
    @Shows({"credentials.store", "credentials.command"})
    void program_of_the_configuration_stores_the_secret() throws IOException {
        Path program = Files.writeString(home.resolve("vault"), """
                #!/bin/sh
                echo "$1" >> %1$s/calls
                read -r name
                case "$1" in
                  get) test -f %1$s/item || exit 1; cat %1$s/item ;;
                  store) read -r value; echo "$value" > %1$s/item ;;
                  erase) rm %1$s/item ;;
                esac
                """.formatted(home));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        config(", \"credentials\": {\"store\": \"command\", \"command\": [\"" + program + "\"]}");

        assertThat(run("s3cr3t-value", "set", "JIRA")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).isEqualTo("stored JIRA (command), used by jira, wiki\n");
        assertAuthorized("Bearer s3cr3t-value");
        assertThat(run("", "list", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("{\"name\":\"JIRA\",\"servers\":[\"jira\",\"wiki\"],\"stored\":true}");

        long calls = Files.readAllLines(home.resolve("calls")).size();
        ConfigFile.read(HostEnvironments.ofUnapproved(platform), file, Overrides.NONE);
        assertThat(Files.readAllLines(home.resolve("calls")))
                .as("a file that is only checked runs no program")
                .hasSize((int) calls);
    }

    @Test
    void unsafe_file_makes_the_server_faulty_with_the_remedy() throws IOException {
        config("");
        run("s3cr3t-value", "set", "JIRA");
        Files.setPosixFilePermissions(home.resolve("secrets"), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(jira())
                .isInstanceOfSatisfying(
                        ServerState.Faulty.class,
                        faulty -> assertThat(faulty.problems().getFirst().message())
                                .startsWith("refers to the secret JIRA, which cannot be read: ")
                                .contains("is open to other users", "chmod go-rwx"));
    }
}
