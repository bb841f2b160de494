package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A gateway that is a server of itself is recognized under whatever name, and others are not.
class SelfReferenceTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        Path launcher = Files.createDirectories(folder.resolve("opt/checkout")).resolve("fusebox");
        Files.writeString(launcher, "#!/bin/sh\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("bin")).resolve("tools"), launcher);
    }

    private boolean isLaunch(List<String> words) {
        Map<String, String> environment = Map.of("PATH", folder.resolve("bin").toString(), "HOME", folder.toString());
        return new SelfReference(environment, folder).isLaunch(words.getFirst(), words.subList(1, words.size()), null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/opt/fusebox/fusebox serve --config /x.json",
                "./fusebox serve",
                "tools serve",
                "~/bin/tools serve",
                "bin/tools --setup serve",
                "bash /opt/fusebox/fusebox serve",
                "env -i A=b /opt/fusebox/fusebox serve",
                "/usr/bin/env tools serve",
                "timeout 60 nice -n 5 ./fusebox serve",
                "java --module-path=x -m dev.fusebox.cli/dev.fusebox.cli.Main serve",
            })
    void command_that_starts_a_gateway_is_recognized_with_any_prefix(String line) {
        assertThat(isLaunch(List.of(line.split(" ", -1)))).isTrue();
    }

    @Test
    void a_text_for_a_shell_is_read_as_well() {
        assertThat(isLaunch(List.of("sh", "-c", "cd /x && exec \"$HOME/bin/tools\" serve --config y")))
                .isTrue();
        assertThat(isLaunch(List.of("sh", "-c", "cd /x && exec ./server --observe")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y some-server serve",
                "claude mcp serve",
                "npx -y server-filesystem /opt/fusebox/fusebox",
                "cat fusebox notes",
                "serve",
                "./fusebox train-worker",
            })
    void other_commands_are_not_taken_for_a_gateway(String line) {
        assertThat(isLaunch(List.of(line.split(" ", -1)))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:7332/mcp",
                "http://localhost:7332/sse",
                "http://[::1]:7332",
                "http://LOCALHOST:7332/mcp/",
                "http://127.0.0.1:7332/mcp/p/work"
            })
    void an_address_of_the_own_port_is_recognised(String uri) {
        assertThat(SelfReference.isAddress(URI.create(uri), 7332)).isTrue();
        assertThat(SelfReference.isAddress(URI.create(uri), 7333)).isFalse();
        assertThat(SelfReference.isAddress(URI.create(uri), 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://10.0.0.1:7332/mcp", "http://127.0.0.1/mcp", "http://127.0.0.1:7332/other", "mailto:x@y"})
    void other_addresses_are_not(String uri) {
        assertThat(SelfReference.isAddress(URI.create(uri), 7332)).isFalse();
    }

    @Test
    void a_bridge_to_the_own_address_is_recognised_and_one_to_another_is_not() {
        List<String> bridge = List.of("-y", "mcp-remote", "http://127.0.0.1:7332/mcp");

        assertThat(SelfReference.isBridge(bridge, 7332)).isTrue();
        assertThat(SelfReference.isBridge(bridge, 7333)).isFalse();
        assertThat(SelfReference.isBridge(List.of("http://127.0.0.1:7332"), 7332))
                .isFalse();
        assertThat(SelfReference.isBridge(List.of("http:opaque", "http://[", "/mcp"), 7332))
                .isFalse();
        Configuration read = Reads.usable(Reads.read("{\"mcpServers\":{\"via\":{\"command\":\"npx\",\"args\":"
                + "[\"mcp-remote\",\"http://127.0.0.1:7332/mcp\"]},\"other\":{\"command\":\"x\"}}}"));
        assertThat(read.problems())
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.message()).contains("name the address of this gateway itself"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"exec tools serve \"$@\"", "cd /x\n\"$HOME/bin/tools\" serve &", "/opt/fusebox/fusebox serve"})
    void a_script_that_starts_a_gateway_is_recognised(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("start"), "#!/bin/sh\n" + text + "\n");

        assertThat(isScript(script.toString())).isTrue();
        assertThat(isScript("sh", script.toString())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#!/bin/sh\n# fusebox serve\nexec notes\n", "exec fusebox serve\n", "#!/bin/sh\nfusebox status\n"
            })
    void other_files_are_not_taken_for_such_a_script(String text) throws IOException {
        assertThat(isScript(Files.writeString(folder.resolve("start"), text).toString()))
                .isFalse();
        assertThat(isScript(folder.toString())).isFalse();
        assertThat(isScript("absent")).isFalse();
    }

    private boolean isScript(String... words) {
        Map<String, String> environment = Map.of("PATH", folder.resolve("bin").toString(), "HOME", folder.toString());
        List<String> all = List.of(words);
        return new SelfReference(environment, folder).isLaunchingScript(words[0], all.subList(1, all.size()), null);
    }

    @Test
    void a_configuration_refuses_the_gateway_itself_and_keeps_the_other_servers() {
        String text = "{\"mcpServers\":{\"mine\":{\"command\":\"bash\",\"args\":["
                + JsonWriter.quoted(folder.resolve("bin/tools").toString())
                + ",\"serve\"]},\"there\":{\"url\":\"http://localhost:7332/mcp\"},\"other\":{\"command\":\"x\"}}}";

        Configuration read = Reads.usable(Reads.read(text));

        assertThat(read.problems().map(problem -> problem.pointer() + " " + problem.message()))
                .satisfiesExactly(
                        mine -> assertThat(mine)
                                .startsWith("/mcpServers/mine/command starts Fusebox itself")
                                .contains("remove this server"),
                        there -> assertThat(there)
                                .startsWith("/mcpServers/there/url is the address of this gateway itself"));
        assertThat(read.servers().get(2).state()).isInstanceOf(ServerState.Ready.class);
    }

    @Test
    void an_address_at_another_port_than_the_own_one_is_a_server() {
        Configuration read = Reads.usable(Reads.read(
                "{\"mcpServers\":{\"there\":{\"url\":\"http://localhost:7332/mcp\"}},\"http\":{\"port\":7333}}"));

        assertThat(read.problems()).isEmpty();
    }

    @Test
    void process_below_a_gateway_has_the_files_of_the_gateways_above_it() throws IOException {
        Path one = Files.writeString(folder.resolve("one.json"), "{}");
        Path other = Files.writeString(folder.resolve("other.json"), "{}");
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), one);
        Map<String, String> top = Map.of("HOME", "/h");

        Map<String, String> below = SelfReference.below(SelfReference.below(top, one), other);

        assertThat(SelfReference.isServedAbove(top, one)).isFalse();
        assertThat(SelfReference.isServedAbove(below, one)).isTrue();
        assertThat(SelfReference.isServedAbove(below, link)).isTrue();
        assertThat(SelfReference.isServedAbove(below, other)).isTrue();
        assertThat(SelfReference.isServedAbove(below, folder.resolve("third.json")))
                .isFalse();
        assertThat(Objects.requireNonNull(below.get("HOME"))).isEqualTo("/h");
    }
}
