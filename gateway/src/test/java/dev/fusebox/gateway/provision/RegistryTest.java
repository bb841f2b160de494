package dev.fusebox.gateway.provision;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sources of registry entries: files, folders and mirrors, including unusual ones.
@Timeout(60)
class RegistryTest {
    private static final Platform PLATFORM = Platform.system();

    @TempDir
    private Path folder = Path.of("");

    private static String server(String name) {
        return "{\"name\":\"a/" + name + "\",\"description\":\"d\",\"packages\":[]}";
    }

    private static Registry.Contents read(RegistrySource registrySource) throws InterruptedException {
        Deadline deadline = new Deadline(Duration.ofSeconds(30), Duration.ZERO, PLATFORM.ticker());
        return new Registry(PLATFORM, registrySource).contents(deadline);
    }

    private static List<String> names(Registry.Contents contents) {
        return contents.entries().stream().map(RegistryEntry::name).toList();
    }

    private List<String> names(String text) throws Exception {
        return names(read(new FileRegistrySource(Files.writeString(folder.resolve("r.json"), text))));
    }

    @Test
    void file_contains_one_entry_or_a_list_or_a_registry_response() throws Exception {
        assertThat(names(server("one"))).containsExactly("a/one");
        assertThat(names("[" + server("one") + "," + server("two") + "]")).containsExactly("a/one", "a/two");
        assertThat(names("{\"servers\":[{\"server\":" + server("one") + ",\"_meta\":{}}],\"metadata\":{\"count\":1}}"))
                .containsExactly("a/one");
    }

    @Test
    void invalid_entry_is_skipped() throws Exception {
        assertThat(names("[1,null,\"x\",{},{\"name\":7},[],{\"name\":\"a/x\",\"packages\":{\"0\":1}}," + server("one")
                        + "]"))
                .containsExactly("a/x", "a/one");
    }

    @Test
    void invisible_text_is_removed_for_models() throws Exception {
        Registry.Contents contents = read(new FileRegistrySource(Files.writeString(
                folder.resolve("r.json"),
                "{\"name\":\"a/x\",\"description\":\"fine\\u200b\\u202e\\n\\u001b[31m" + "y".repeat(1_000) + "\"}")));
        assertThat(contents.entries().getFirst().description())
                .startsWith("fine [31my")
                .hasSizeLessThan(310);
    }

    @Test
    void changed_file_is_read_again() throws Exception {
        Path file = Files.writeString(folder.resolve("r.json"), server("one"));
        Registry registry = new Registry(PLATFORM, new FileRegistrySource(file));
        Deadline deadline = Deadline.endless(PLATFORM.ticker());
        Registry.Contents first = registry.contents(deadline);
        assertThat(registry.contents(deadline)).isSameAs(first);
        Files.writeString(file, server("another"));
        assertThat(names(registry.contents(deadline))).containsExactly("a/another");
        Files.delete(file);
        Registry.Contents gone = registry.contents(deadline);
        assertThat(names(gone)).containsExactly("a/another");
        assertThat(gone.trouble()).contains("cannot read");
    }

    @Test
    void only_regular_files_of_a_folder_are_read() throws Exception {
        Files.writeString(folder.resolve("b.json"), server("b"));
        Files.writeString(folder.resolve("a.json"), server("a"));
        Files.writeString(folder.resolve("c.txt"), server("c"));
        Path elsewhere = Files.writeString(Files.createTempFile("outside", ".json"), server("outside"));
        Files.createSymbolicLink(folder.resolve("d.json"), elsewhere);
        Files.createDirectory(folder.resolve("e.json"));
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("f.json").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(names(read(new FileRegistrySource(folder)))).containsExactly("a/a", "a/b");
        Files.delete(elsewhere);
    }

    @Test
    void pipe_device_or_missing_file_never_blocks() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path odd : List.of(pipe, Path.of("/dev/zero"), folder.resolve("nothing"))) {
            Registry.Contents contents = read(new FileRegistrySource(odd));
            assertThat(contents.entries()).isEmpty();
            assertThat(contents.trouble()).contains("cannot read");
        }
    }

    @Test
    void oversized_or_invalid_json_is_rejected() throws Exception {
        Path file = folder.resolve("long.json");
        Files.writeString(file, server("one") + " ".repeat(RegistrySource.MAX_LENGTH));
        assertThat(read(new FileRegistrySource(file)).trouble()).contains("exceeds");
        Files.writeString(file, "{\"name\":");
        assertThat(read(new FileRegistrySource(file)).trouble()).contains("not JSON");
    }

    // ---- Mirrors

    private static Registry.Contents read(Mirror mirror) throws InterruptedException {
        try (WebClient webClient =
                WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults().withMaxBodyBytes(100_000))) {
            return read(new HttpRegistrySource(PLATFORM, webClient, HttpTarget.of(mirror.uri())));
        }
    }

    private static String page(String name, String cursor) {
        return "{\"servers\":[{\"server\":" + server(name) + "}],\"metadata\":{\"nextCursor\":\"" + cursor + "\"}}";
    }

    @Test
    void all_pages_of_a_mirror_are_read_without_sending_search_terms() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "x&y"), "?cursor=x%26y", page("two", "")))) {
            assertThat(names(read(mirror))).containsExactly("a/one", "a/two");
            assertThat(mirror.asked()).containsExactly("", "?cursor=x%26y");
        }
    }

    @Test
    void mirror_with_circular_pages_terminates() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "x"), "?cursor=x", page("two", "x")))) {
            assertThat(names(read(mirror))).containsExactly("a/one", "a/two");
            assertThat(mirror.asked()).hasSize(2);
        }
    }

    @Test
    void empty_or_oversized_mirror_is_reported() throws Exception {
        try (Mirror nothing = new Mirror(Map.of());
                Mirror tooMuch = new Mirror(Map.of("", server("one") + " ".repeat(200_000)))) {
            assertThat(read(nothing).trouble()).contains("404");
            assertThat(read(tooMuch).trouble()).contains("100000");
        }
    }

    @Test
    void unreachable_mirror_is_reported() throws Exception {
        try (WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            HttpTarget nobody = HttpTarget.of(URI.create("http://127.0.0.1:1/v0.1/servers"));
            assertThat(read(new HttpRegistrySource(PLATFORM, webClient, nobody)).trouble())
                    .contains("cannot read");
        }
    }

    @Test
    void mirror_error_contains_no_key() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("?key=tellnobody", "no json"));
                WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            HttpTarget target = HttpTarget.of(URI.create(mirror.uri() + "?key=tellnobody"));
            assertThat(read(new HttpRegistrySource(PLATFORM, webClient, target)).trouble())
                    .contains("did not respond with JSON", "127.0.0.1")
                    .doesNotContain("tellnobody");
        }
    }

    @Test
    void failing_mirror_is_reported_once_and_not_retried_for_a_while() throws Exception {
        try (Mirror nothing = new Mirror(Map.of());
                CapturedLog log = CapturedLog.of(Registry.class);
                WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            HttpTarget target = HttpTarget.of(nothing.uri());
            Registry registry = new Registry(PLATFORM, new HttpRegistrySource(PLATFORM, webClient, target));
            for (int i = 0; i < 3; i++) {
                assertThat(registry.contents(Deadline.endless(PLATFORM.ticker()))
                                .trouble())
                        .contains("404");
            }
            // Once more if five minutes of the clock have just passed.
            assertThat(nothing.asked()).hasSizeLessThan(3);
            assertThat(log.lines(nothing.uri().getAuthority())).hasSize(1);
        }
    }

    @Test
    void silent_mirror_is_awaited_within_the_limit_of_one_read() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            HttpTarget target = HttpTarget.of(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
            Registry registry =
                    new Registry(PLATFORM, new HttpRegistrySource(PLATFORM, webClient, target), Duration.ofMillis(200));
            assertThat(registry.contents(Deadline.endless(PLATFORM.ticker())).trouble())
                    .contains("cannot read");
        }
    }

    @Test
    void mirror_is_queried_once_for_many_searches() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "")));
                WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            Registry registry =
                    new Registry(PLATFORM, new HttpRegistrySource(PLATFORM, webClient, HttpTarget.of(mirror.uri())));
            for (int i = 0; i < 1_000; i++) {
                assertThat(names(registry.contents(Deadline.endless(PLATFORM.ticker()))))
                        .containsExactly("a/one");
            }
            // Once more if five minutes of the clock have just passed.
            assertThat(mirror.asked()).hasSizeLessThan(3);
        }
    }

    @Test
    void cancelled_callers_cause_a_limited_number_of_mirror_queries() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "")));
                WebClient webClient = WebClient.forLargeBodies(PLATFORM, OutboundSettings.defaults())) {
            HttpRegistrySource documents = new HttpRegistrySource(PLATFORM, webClient, HttpTarget.of(mirror.uri()));
            Registry registry = new Registry(PLATFORM, documents);
            Deadline givenUp = Deadline.endless(PLATFORM.ticker());
            givenUp.giveUp();
            for (int i = 0; i < 100; i++) {
                registry.contents(givenUp);
            }
            assertThat(mirror.asked()).hasSizeLessThan(7);
            int reading = 0;
            while (reading < 7 && !isRefused(documents)) {
                reading++;
            }
            assertThat(reading).isLessThan(7);
        }
    }

    private static boolean isRefused(HttpRegistrySource documents) {
        try {
            documents.read(Deadline.endless(PLATFORM.ticker()));
            return false;
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("within a minute; try again in");
            return true;
        }
    }

    @Test
    void deeply_nested_document_does_not_affect_others() throws Exception {
        Files.writeString(folder.resolve("a.json"), server("a"));
        Files.writeString(folder.resolve("b.json"), "[".repeat(100_000));
        Files.writeString(
                folder.resolve("c.json"), "[{\"name\":\"a/c\",\"x\":" + "[".repeat(500) + "]".repeat(500) + "}]");
        Registry.Contents contents = read(new FileRegistrySource(folder));
        assertThat(names(contents)).containsExactly("a/a");
        assertThat(contents.trouble()).startsWith("2 of its documents");
    }

    @Test
    void compressed_size_counts_unpacked_and_redirects_are_not_followed() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream into = new GZIPOutputStream(packed)) {
            into.write(" ".repeat(1_000_000).getBytes(UTF_8));
        }
        try (Mirror elsewhere = new Mirror(Map.of("", page("elsewhere", "")));
                Mirror bomb = Mirror.saying("200 OK\r\nContent-Encoding: gzip", packed.toByteArray());
                Mirror guide = Mirror.saying("307 Elsewhere\r\nLocation: " + elsewhere.uri(), new byte[0])) {
            assertThat(packed.size()).isLessThan(100_000);
            assertThat(read(bomb).trouble()).contains("100000");
            assertThat(read(guide).trouble()).contains("307");
            assertThat(elsewhere.asked()).isEmpty();
        }
    }

    /// Documents that are released by the test.
    private static final class Held implements RegistrySource {
        private final Promise<String> content = new Promise<>();
        private final AtomicInteger readings = new AtomicInteger();

        @Override
        public Object mark() {
            return "the same";
        }

        @Override
        public List<byte[]> read(Deadline deadline) throws IOException, InterruptedException {
            readings.incrementAndGet();
            String come = deadline.await(content, PLATFORM);
            if (come == null) {
                throw new IOException("nothing came");
            }
            return List.of(come.getBytes(UTF_8));
        }
    }

    private static CompletableFuture<Registry.Contents> asked(Registry registry, Deadline deadline) {
        CompletableFuture<Registry.Contents> contents = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                contents.complete(registry.contents(deadline));
            } catch (InterruptedException stopped) {
                contents.completeExceptionally(stopped);
            }
        });
        return contents;
    }

    @Test
    void concurrent_queries_read_the_registry_once() throws Exception {
        Held held = new Held();
        Registry registry = new Registry(PLATFORM, held);
        List<CompletableFuture<Registry.Contents>> all = IntStream.range(0, 20)
                .mapToObj(i -> asked(registry, Deadline.endless(PLATFORM.ticker())))
                .toList();
        eventually(
                "one reading has begun", () -> assertThat(held.readings.get()).isEqualTo(1));
        held.content.complete(server("one"));
        for (CompletableFuture<Registry.Contents> each : all) {
            assertThat(names(each.get(30, TimeUnit.SECONDS))).containsExactly("a/one");
        }
        assertThat(held.readings).hasValue(1);
    }

    @Test
    void cancelled_caller_stops_waiting_and_does_not_affect_others() throws Exception {
        Held held = new Held();
        Registry registry = new Registry(PLATFORM, held);
        Deadline first = Deadline.endless(PLATFORM.ticker());
        CompletableFuture<Registry.Contents> reading = asked(registry, first);
        eventually(
                "one reading has begun", () -> assertThat(held.readings.get()).isEqualTo(1));
        Deadline impatient = Deadline.endless(PLATFORM.ticker());
        CompletableFuture<Registry.Contents> waiting = asked(registry, impatient);
        CompletableFuture<Registry.Contents> patient = asked(registry, Deadline.endless(PLATFORM.ticker()));
        impatient.giveUp();
        assertThat(waiting.get(30, TimeUnit.SECONDS).trouble()).contains("is being read");
        assertThat(reading).isNotDone();
        first.giveUp();
        assertThat(reading.get(30, TimeUnit.SECONDS).trouble()).contains("nothing came");
        eventually(
                "two readings have begun", () -> assertThat(held.readings.get()).isEqualTo(2));
        held.content.complete(server("one"));
        assertThat(names(patient.get(30, TimeUnit.SECONDS))).containsExactly("a/one");
    }

    @Test
    void file_deleted_during_the_read_does_not_affect_others() throws Exception {
        Files.writeString(folder.resolve("a.json"), server("a"));
        Path fleeting = folder.resolve("fleeting.json");
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> comesAndGoes = CompletableFuture.runAsync(
                () -> {
                    while (!isOver.get()) {
                        try {
                            Files.deleteIfExists(Files.writeString(fleeting, server("fleeting")));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                },
                Thread::startVirtualThread);
        try {
            for (int i = 0; i < 200; i++) {
                assertThat(names(read(new FileRegistrySource(folder)))).contains("a/a");
            }
        } finally {
            isOver.set(true);
        }
        comesAndGoes.get(30, TimeUnit.SECONDS);
    }
}
