package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `config`, and the errors of `serve` for invalid files.
class ConfigCommandTest {
    private static final Platform PLATFORM = Platform.system().withEnvironment(Map.of("TOKEN", "s3cr3t"));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("f.json"), text);
    }

    private CommandOutput output() {
        return new CommandOutput(printer(out), printer(err), false);
    }

    private ExitStatus check(Path file, String... more) {
        Stream<String> words = Stream.concat(Stream.of("check", "--config", file.toString()), Stream.of(more));
        return new ConfigCommand(PLATFORM).run(words.toList(), output());
    }

    @Test
    void valid_file_is_reported_per_server() throws Exception {
        Path file = file("""
                { "mcpServers": {
                    "files": { "command": "${TOKEN}" },
                    "my web": { "url": "https://h/${TOKEN}", "timeout": 5 },
                    "old": { "url": "http://h/", "type": "sse" },
                    "off": { "command": "c", "disabled": true },
                    "waits": { "command": "${A}", "args": ["${B}"] } } }
                """);

        assertThat(check(file)).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).lines())
                .containsExactly(
                        "warning: " + file + ":3:5: /mcpServers/my web is used as \"my-web\": a server name has"
                                + " up to 64 characters from A-Z a-z 0-9 _ . -",
                        "warning: " + file + ":3:46: /mcpServers/my web/timeout is ignored: some clients use seconds"
                                + " and others milliseconds; write \"timeoutMs\", in milliseconds",
                        "warning: " + file + ":6:5: /mcpServers/waits needs variables that are not set: A, B",
                        "  files   configured, stdio",
                        "  my-web  configured, Streamable HTTP",
                        "  old     configured, HTTP with SSE (2024-11-05)",
                        "  off     disabled",
                        "  waits   awaiting configuration",
                        "✓ " + file + ": 5 servers, 3 warnings");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void invalid_server_fails_check_and_is_listed() throws Exception {
        Path file = file("{\"mcpServers\": {\"a\": {\"comand\": \"c\"}, \"b\": {\"command\": \"c\"}}}");

        assertThat(check(file)).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out).lines())
                .containsExactly(
                        file + ":1:23: /mcpServers/a/comand is not a key of Fusebox; did you mean \"command\"?",
                        "  a  invalid, not served",
                        "  b  configured, stdio",
                        "✗ " + file + ": 1 problem");
    }

    @Test
    void columns_fit_longest_name() throws Exception {
        String name = "n".repeat(40);
        Path file = file("{\"mcpServers\": {\"a\": {\"command\": \"/not/there\"}, \"" + name
                + "\": {\"command\": \"/not/there\"}}}");

        assertThat(check(file)).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).lines())
                .contains("  a" + " ".repeat(41) + "configured, stdio", "  " + name + "  configured, stdio");
    }

    @Test
    void json_contains_same_report() throws Exception {
        Path file = file("{\"mcpServers\": {\"a\": {\"comand\": \"c\"}, \"b c\": {\"command\": \"${X}\"}}}");

        assertThat(check(file, "--json")).isEqualTo(ExitStatus.USAGE);
        String place = "\"file\":\"" + file + "\"";
        String expected = """
                {PLACE,"usable":true,"problems":[{PLACE,"line":1,"column":23,"pointer":"/mcpServers/a/comand",\
                "message":"is not a key of Fusebox","didYouMean":"command"}],\
                "warnings":[{PLACE,"line":1,"column":39,"pointer":"/mcpServers/b c","message":"is used as \\"b-c\\": \
                a server name has up to 64 characters from A-Z a-z 0-9 _ . -","didYouMean":null},\
                {PLACE,"line":1,"column":39,"pointer":"/mcpServers/b c",\
                "message":"needs variables that are not set: X","didYouMean":null}],\
                "servers":[{"name":"a","id":"a","state":"error","transport":null,"missing":[]},\
                {"name":"b c","id":"b-c","state":"awaiting_user_config","transport":null,"missing":["X"]}]}""";
        assertThat(text(out).strip()).isEqualTo(expected.replace("PLACE", place));
    }

    @Test
    void unusable_file_lists_no_servers() throws Exception {
        Path file = file("{\"mcpServers\": {},}, ");

        assertThat(check(file)).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out).lines())
                .containsExactly(
                        file + ":1:20: the configuration is not JSON: more text after the value",
                        "✗ " + file + ": 1 problem");
    }

    @Test
    void missing_file_is_reported() {
        Path file = folder.resolve("none.json");

        assertThat(check(file)).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).startsWith(file + ": the configuration does not exist");
    }

    @Test
    void folder_instead_of_file_is_reported() {
        assertThat(check(folder)).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).startsWith(folder + ": the configuration cannot be read: ");
    }

    @Test
    void schema_is_json() {
        assertThat(new ConfigCommand(PLATFORM).run(List.of("schema"), output())).isEqualTo(ExitStatus.DONE);
        assertThat(JsonView.of(text(out)).string("$schema")).contains("2020-12");
    }

    @Test
    void unknown_arguments_are_rejected() {
        assertThat(new ConfigCommand(PLATFORM).run(List.of(), output())).isEqualTo(ExitStatus.USAGE);
        assertThat(new ConfigCommand(PLATFORM).run(List.of("chek"), output())).isEqualTo(ExitStatus.USAGE);
        assertThat(new ConfigCommand(PLATFORM).run(List.of("schema", "x"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(new ConfigCommand(PLATFORM).run(List.of("check", "--config"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(new ConfigCommand(PLATFORM).run(List.of("check", "-v"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err).lines()).hasSize(5).allMatch(line -> line.startsWith("fusebox: "));
    }

    @Test
    void file_without_option_gets_suggestion() {
        assertThat(new ConfigCommand(PLATFORM).run(List.of("check", "my.json"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("did you mean --config my.json?");
    }

    @Test
    void help_option_prints_help() {
        CommandLine commands = new CommandLine(Main.COMMANDS);
        assertThat(commands.run(List.of("config", "check", "--help"), output())).isEqualTo(ExitStatus.DONE);
        assertThat(commands.run(List.of("serve", "--help"), output())).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("config check", "config schema", "mcpServers", "failureThreshold");
    }

    @Test
    void serve_reports_all_errors_and_exits() throws Exception {
        Path file = file("{\"mcpServers\": {\"a\": {\"comand\": \"c\"}}, \"limits\": {\"dept\": 5}}");

        assertThat(new ServeCommand(PLATFORM).run(List.of("--config", file.toString()), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(text(err).lines())
                .containsExactly(
                        "fusebox: using " + file,
                        "fusebox: " + file
                                + ":1:23: /mcpServers/a/comand is not a key of Fusebox; did you mean \"command\"?",
                        "fusebox: " + file + ":1:51: /limits/dept is not a key of Fusebox; did you mean \"depth\"?");
        assertThat(text(out)).isEmpty();
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream written) {
        return written.toString(StandardCharsets.UTF_8);
    }
}
