package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// S65, S67: a gateway that runs as a user without privileges, beside processes of the same user, which its
/// servers are, and of another one. Needs the superuser, who may start processes as others.
///
/// Over five seconds: gateways start as another user, and what they leave behind is waited for.
@Tag("process")
@Timeout(120)
class UnprivilegedProcessTest {
    private static final int USER = 65_533;
    private static final int OTHER_USER = 65_532;
    private static final String PLANTED = "planted-for-this-test";
    private static final String REFUSED = "403";

    /// That of the system: one in the superuser's home may not be run by others.
    private static final List<String> PYTHON = List.of("env", "PATH=/usr/local/bin:/usr/bin:/bin", "python3", "-c");

    /// Tries all that a process can do to another one of its user; prints what worked.
    private static final String INSPECT = """
            import ctypes, os, sys
            pid = int(sys.argv[1])
            done = []
            def attempt(name, action):
                try:
                    action()
                    done.append(name)
                except OSError:
                    pass
            def attach():
                libc = ctypes.CDLL(None, use_errno=True)
                libc.ptrace.argtypes = [ctypes.c_long] * 4
                if libc.ptrace(16, pid, 0, 0) != 0:
                    raise OSError(ctypes.get_errno(), "ptrace")
                os.waitpid(pid, 0x40000000)
                libc.ptrace(17, pid, 0, 0)
            attempt("environ", lambda: open("/proc/%d/environ" % pid).read())
            attempt("maps", lambda: open("/proc/%d/maps" % pid).read())
            attempt("mem", lambda: open("/proc/%d/mem" % pid, "rb").close())
            attempt("fd", lambda: os.listdir("/proc/%d/fd" % pid))
            attempt("attach", attach)
            print(" ".join(done))
            """;

    /// Sends one request; prints the status of the answer.
    private static final String REQUEST = """
            import http.client, sys
            port, path = sys.argv[1:3]
            client = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
            method = "POST" if path == "/mcp" else "GET"
            accept = "application/json, text/event-stream"
            client.request(method, path, headers={"Accept": accept, "Content-Type": "application/json"})
            print(client.getresponse().status)
            """;

    @TempDir
    private Path folder;

    private static List<String> as(int user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    private List<String> gateway() {
        List<String> all = new ArrayList<>(as(USER));
        all.addAll(List.of("env", "FUSEBOX_HOME=" + folder.resolve("home"), "PLANTED=" + PLANTED));
        return all;
    }

    @BeforeEach
    void other_users_are_available() throws IOException {
        List<String> tried = new ArrayList<>(as(USER));
        tried.addAll(PYTHON);
        tried.add("import ctypes");
        assumeTrue(Tried.succeeds(tried), "skipped: not the superuser, or no setpriv or python3 here");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static String said(List<String> user, String script, String... words) throws Exception {
        List<String> command = new ArrayList<>(user);
        command.addAll(PYTHON);
        command.add(script);
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said.strip();
    }

    @Test
    void processes_of_the_same_user_cannot_inspect_the_gateway() throws Exception {
        try (RunningGateway gateway = RunningGateway.copiedBy(gateway(), folder, "a")) {
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            long server = gateway.children().getFirst();

            assertThat(said(as(USER), INSPECT, "" + server))
                    .as("of a process that is not protected")
                    .isEqualTo("environ maps mem fd attach");
            assertThat(said(as(USER), INSPECT, "" + gateway.process().pid())).isEmpty();
        }
    }

    @Test
    void processes_of_the_same_user_can_inspect_gateway_if_allowed() throws Exception {
        List<String> allowed = new ArrayList<>(gateway());
        allowed.add("JDK_JAVA_OPTIONS=-Dfusebox.inspection=allow");
        try (RunningGateway gateway = RunningGateway.copiedBy(allowed, folder, "a")) {
            assertThat(gateway.call("a", "who")).startsWith("1 ");

            assertThat(said(as(USER), INSPECT, "" + gateway.process().pid())).isEqualTo("environ maps mem fd attach");
        }
    }

    @Test
    void gateway_stops_orphans_of_servers() throws Exception {
        try (RunningGateway gateway = RunningGateway.copiedBy(gateway(), folder, "a", "b")) {
            gateway.server("b", "1", "FORK=1").save();
            gateway.eventuallySays("changed b");
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            assertThat(gateway.call("b", "who")).startsWith("1 ");
            eventually(
                    "both servers and what one of them started are there, and the process before the change is gone",
                    () -> gateway.children().size() == 3);

            gateway.without("b").save();

            eventually(
                    "the server and what it left are gone",
                    () -> gateway.children().size() == 1);
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            gateway.signal("TERM");
            assertThat(gateway.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(gateway.process().exitValue()).isZero();
            assertThat(gateway.children()).isEmpty();
            assertThat(gateway.errorText()).doesNotContain("WARN");
        }
    }

    @Test
    void killed_gateway_leaves_no_processes() throws Exception {
        try (RunningGateway gateway = RunningGateway.copiedBy(gateway(), folder, "a")) {
            gateway.server("a", "1", "FORK=1", "DEAF=1").save();
            gateway.eventuallySays("changed a");
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            eventually(
                    "the process before the change is gone",
                    () -> gateway.children().size() == 2);

            gateway.signal("KILL");

            eventually("nothing is left", () -> gateway.children().isEmpty());
        }
    }

    @Test
    void other_users_are_refused_on_every_path_and_the_superuser_is_not() throws Exception {
        try (RunningGateway gateway = RunningGateway.copiedBy(gateway(), folder, "a")) {
            String port = "" + gateway.uri().getPort();
            for (String path : List.of("/mcp", "/sse", "/healthz", "/api/v1/servers", "/metrics", "/")) {
                assertThat(said(as(OTHER_USER), REQUEST, port, path)).as(path).isEqualTo(REFUSED);
                assertThat(said(as(USER), REQUEST, port, path)).as(path).isNotEqualTo(REFUSED);
                assertThat(said(List.of(), REQUEST, port, path)).as(path).isNotEqualTo(REFUSED);
            }
            assertThat(gateway.errorText().lines().filter(line -> line.contains("user id " + OTHER_USER)))
                    .hasSize(1);
        }
    }
}
