package dev.fusebox.gateway.provision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Patience;
import dev.fusebox.client.http.Download;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.world.World;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Where descriptions of servers come from: files, folders and mirrors, also odd ones.
@Timeout(60)
class RegistryTest {
    private static final World WORLD = World.system();

    @TempDir
    private Path folder = Path.of("");

    private static String server(String name) {
        return "{\"name\":\"a/" + name + "\",\"description\":\"d\",\"packages\":[]}";
    }

    private static Registry.Contents read(Documents documents) throws InterruptedException {
        Patience patience = new Patience(Duration.ofSeconds(30), Duration.ZERO, WORLD.ticker());
        return new Registry(documents).contents(patience);
    }

    private static List<String> names(Registry.Contents contents) {
        return contents.entries().stream().map(Entry::name).toList();
    }

    private List<String> names(String text) throws Exception {
        return names(read(new FileDocuments(Files.writeString(folder.resolve("r.json"), text))));
    }

    @Test
    void a_file_has_one_description_or_a_list_or_the_answer_of_a_registry() throws Exception {
        assertThat(names(server("one"))).containsExactly("a/one");
        assertThat(names("[" + server("one") + "," + server("two") + "]")).containsExactly("a/one", "a/two");
        assertThat(names("{\"servers\":[{\"server\":" + server("one") + ",\"_meta\":{}}],\"metadata\":{\"count\":1}}"))
                .containsExactly("a/one");
    }

    @Test
    void what_is_no_description_is_passed_over() throws Exception {
        assertThat(names("[1,null,\"x\",{},{\"name\":7},[],{\"name\":\"a/x\",\"packages\":{\"0\":1}}," + server("one")
                        + "]"))
                .containsExactly("a/x", "a/one");
    }

    @Test
    void text_that_nobody_sees_is_taken_out_of_what_models_read() throws Exception {
        Registry.Contents contents = read(new FileDocuments(Files.writeString(
                folder.resolve("r.json"),
                "{\"name\":\"a/x\",\"description\":\"fine\\u200b\\u202e\\n\\u001b[31m" + "y".repeat(1_000) + "\"}")));
        assertThat(contents.entries().getFirst().description())
                .startsWith("fine [31my")
                .hasSizeLessThan(310);
    }

    @Test
    void a_file_that_changes_is_read_again() throws Exception {
        Path file = Files.writeString(folder.resolve("r.json"), server("one"));
        Registry registry = new Registry(new FileDocuments(file));
        Patience patience = Patience.endless(WORLD.ticker());
        Registry.Contents first = registry.contents(patience);
        assertThat(registry.contents(patience)).isSameAs(first);
        Files.writeString(file, server("another"));
        assertThat(names(registry.contents(patience))).containsExactly("a/another");
        Files.delete(file);
        Registry.Contents gone = registry.contents(patience);
        assertThat(names(gone)).containsExactly("a/another");
        assertThat(gone.trouble()).contains("cannot be read");
    }

    @Test
    void in_a_folder_only_files_are_read_and_no_links_and_no_pipes() throws Exception {
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
        assertThat(names(read(new FileDocuments(folder)))).containsExactly("a/a", "a/b");
        Files.delete(elsewhere);
    }

    @Test
    void a_pipe_or_a_device_or_nothing_is_never_waited_for() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path odd : List.of(pipe, Path.of("/dev/zero"), folder.resolve("nothing"))) {
            Registry.Contents contents = read(new FileDocuments(odd));
            assertThat(contents.entries()).isEmpty();
            assertThat(contents.trouble()).contains("cannot be read");
        }
    }

    @Test
    void what_is_too_long_or_no_json_is_not_taken() throws Exception {
        Path file = folder.resolve("long.json");
        Files.writeString(file, server("one") + " ".repeat(Documents.LONGEST));
        assertThat(read(new FileDocuments(file)).trouble()).contains("at most");
        Files.writeString(file, "{\"name\":");
        assertThat(read(new FileDocuments(file)).trouble()).contains("no JSON");
    }

    // ---- Mirrors

    private static Registry.Contents read(Mirror mirror) throws InterruptedException {
        try (Download download = new Download(WORLD, OutboundSettings.usual().withMaxBodyBytes(100_000))) {
            return read(new WebDocuments(WORLD, download, HttpTarget.of(mirror.uri())));
        }
    }

    private static String page(String name, String cursor) {
        return "{\"servers\":[{\"server\":" + server(name) + "}],\"metadata\":{\"nextCursor\":\"" + cursor + "\"}}";
    }

    @Test
    void all_pages_of_a_mirror_are_read_and_nothing_is_told_to_it() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "x&y"), "?cursor=x%26y", page("two", "")))) {
            assertThat(names(read(mirror))).containsExactly("a/one", "a/two");
            assertThat(mirror.asked()).containsExactly("", "?cursor=x%26y");
        }
    }

    @Test
    void a_mirror_that_leads_in_a_circle_ends() throws Exception {
        try (Mirror mirror = new Mirror(Map.of("", page("one", "x"), "?cursor=x", page("two", "x")))) {
            assertThat(names(read(mirror))).containsExactly("a/one", "a/two");
            assertThat(mirror.asked()).hasSize(2);
        }
    }

    @Test
    void a_mirror_that_has_nothing_or_too_much_is_told_of() throws Exception {
        try (Mirror nothing = new Mirror(Map.of());
                Mirror tooMuch = new Mirror(Map.of("", server("one") + " ".repeat(200_000)))) {
            assertThat(read(nothing).trouble()).contains("404");
            assertThat(read(tooMuch).trouble()).contains("100000");
        }
    }

    @Test
    void a_mirror_that_nobody_listens_at_is_told_of() throws Exception {
        try (Download download = new Download(WORLD, OutboundSettings.usual())) {
            HttpTarget nobody = HttpTarget.of(URI.create("http://127.0.0.1:1/v0.1/servers"));
            assertThat(read(new WebDocuments(WORLD, download, nobody)).trouble())
                    .contains("cannot be read");
        }
    }
}
