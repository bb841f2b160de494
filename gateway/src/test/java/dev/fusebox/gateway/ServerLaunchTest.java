package dev.fusebox.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.HostEnvironment;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.share.ClientPlace;
import dev.fusebox.gateway.upstream.LaunchDifference;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// When a server is the same for several clients, and the names of what differs otherwise.
class ServerLaunchTest {
    private static final String PROGRAM = "\"command\":\"server\",\"args\":[\"${ARG:-x}\"],\"env\":{\"B\":\"${B:-x}\"}";

    /// The launch of a server for a client.
    private static LaunchIdentity launch(String members, String folder, Map<String, String> variables) {
        byte[] text = ("{\"mcpServers\":{\"one\":{" + members + "}}}").getBytes(UTF_8);
        ReadResult.Usable read =
                (ReadResult.Usable) ConfigFile.read(new HostEnvironment(variables), Path.of("f.json"), text);
        ServerConfig server = read.configuration().servers().getFirst();
        ClientPlace place = new ClientPlace(folder, List.of(), variables, null, null);
        Ready ready = (Ready) server.state();
        return new LaunchPlace(place)
                .launch(server, ready.endpoint(), read.configuration().limits());
    }

    private static LaunchDifference difference(String members, Map<String, String> one, Map<String, String> other) {
        return launch(members, "/", one).differenceFrom(launch(members, "/", other));
    }

    @Test
    void difference_names_the_variables_of_the_process_and_the_settings() {
        assertThat(difference(PROGRAM, Map.of("PATH", "/a", "LANG", "C"), Map.of("PATH", "/b", "B", "y", "ARG", "y")))
                .isEqualTo(new LaunchDifference(List.of("B", "LANG", "PATH"), List.of("args"), true));
        assertThat(difference("\"command\":\"${ARG}\"", Map.of("ARG", "one"), Map.of("ARG", "two")))
                .isEqualTo(new LaunchDifference(List.of(), List.of("command"), true));
        String remote = "\"url\":\"http://127.0.0.1:1/${ARG:-}\",\"headers\":{\"x\":\"${B:-}\"}";
        assertThat(difference(remote, Map.of("ARG", "a", "B", "a"), Map.of("PATH", "/b")))
                .isEqualTo(new LaunchDifference(List.of(), List.of("url", "headers"), false));
    }

    @Test
    void difference_names_the_folder_and_rules() {
        Map<String, String> none = Map.of();
        LaunchIdentity here = launch(PROGRAM, "/", none);
        assertThat(here.differenceFrom(launch(PROGRAM, "/other", none)))
                .isEqualTo(new LaunchDifference(List.of(), List.of("folder"), true));
        assertThat(here.differenceFrom(launch(PROGRAM + ",\"timeoutMs\":20000", "/", none)))
                .isEqualTo(new LaunchDifference(List.of(), List.of("settings"), true));
    }

    @Test
    void variable_that_the_configuration_sets_is_the_same_for_all_clients() {
        String fixed = "\"command\":\"server\",\"env\":{\"PATH\":\"/bin\"}";
        Map<String, String> one = Map.of("PATH", "/a", "TERM", "a", "OTHER", "a");
        Map<String, String> other = Map.of("PATH", "/b", "TERM", "b");
        assertThat(launch(fixed, "/", one)).isEqualTo(launch(fixed, "/", other));
        assertThat(launch("\"command\":\"server\"", "/", one))
                .isNotEqualTo(launch("\"command\":\"server\"", "/", other));
    }
}
