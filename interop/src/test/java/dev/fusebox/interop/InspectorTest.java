package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official Inspector prints the same through the gateway as without it.
///
/// Over five seconds: each test starts it three times, and the first of the module waits for npm.
@Tag("interop")
@Timeout(900)
class InspectorTest {
    /// Of the Inspector: the tool says in its answer that it failed.
    private static final int TOOL_FAILED = 5;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void inspector_lists_tools() {
        assertThat(same("tools/list").succeeds().out()).contains("\"name\":\"echo\"", "\"name\":\"test_simple_text\"");
    }

    @Test
    void inspector_calls_tool() {
        Run run = same("tools/call", "--tool-name", "add", "--tool-arg", "a=2", "--tool-arg", "b=40");

        assertThat(run.succeeds().out()).contains("\"structuredContent\":{\"sum\":42}");
    }

    @Test
    void inspector_shows_failed_tool() {
        Run run = same("tools/call", "--tool-name", "fail", "--tool-arg", "text=broken");

        assertThat(run.code()).isEqualTo(TOOL_FAILED);
        assertThat(run.out()).contains("broken", "\"isError\":true");
    }

    @Test
    void inspector_reads_resource() {
        assertThat(same("resources/read", "--uri", "test://static-text")
                        .succeeds()
                        .out())
                .contains("the static text resource");
    }

    @Test
    void inspector_gets_prompt() {
        Run run = same(
                "prompts/get",
                "--prompt-name",
                "test_prompt_with_arguments",
                "--prompt-args",
                "arg1=eins",
                "arg2=zwei");

        assertThat(run.succeeds().out()).contains("arg1='eins', arg2='zwei'");
    }

    private static Gateway http;

    @BeforeAll
    static void start(@TempDir Path shared) {
        http = Gateway.overHttp(Served.fixture().configuration(shared));
    }

    @AfterAll
    static void end() {
        http.close();
    }

    /// What it prints without the gateway, after a look at what it prints over both fronts.
    private Run same(String method, String... more) {
        Served fixture = Served.fixture();
        Path configuration = fixture.configuration(folder);
        Run direct = new Inspector(folder, configuration).run(method, more);

        Served gateway = new Served(Gateway.command(configuration), fixture.env());
        assertSame(new Inspector(folder, gateway.configuration(folder)).run(method, more), direct);
        Path listening = Configuration.of(folder, http.url(), Map.of("type", "streamable-http"));
        assertSame(new Inspector(folder, listening).run(method, more), direct);
        return direct;
    }

    private static void assertSame(Run through, Run direct) {
        assertThat(through.out()).as(through.err()).isEqualTo(direct.out());
        assertThat(through.code()).isEqualTo(direct.code());
    }
}
