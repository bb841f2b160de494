package dev.fusebox.gateway.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// 527 tools of 70 real servers with their schemas (LiveMCPTool of LiveMCPBench, Apache-2.0), as the cache keeps
/// them, and the questions of the module `search`. Immutable.
///
/// @param servers the text that is kept of each
/// @param tools how many they have together
record KnownTools(Map<String, String> servers, int tools, List<Question> questions) implements CatalogStore {
    private static final Path QUESTIONS = Path.of("../search/src/test/resources/dev/fusebox/search/questions.tsv");

    /// @param answers the tools that would do, each as `server/tool`
    record Question(String text, Set<String> answers) {}

    /// A tool with what its server says of it.
    private record Definition(String server, String tool, String json) {
        String id() {
            return server + "/" + tool;
        }
    }

    /// Every tool that a held-out question is about, and every so many of the others.
    static KnownTools open(int every) {
        List<Question> questions = lines(QUESTIONS).stream()
                .map(line -> line.split("\t", -1))
                .map(parts -> new Question(parts[0], Set.of(parts[1].split(","))))
                .toList();
        List<Definition> all = definitions();
        Map<String, List<String>> kept = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            Definition tool = all.get(i);
            boolean isAsked = heldOut(questions).stream()
                    .anyMatch(question -> question.answers().contains(tool.id()));
            if (i % every == 0 || isAsked) {
                kept.computeIfAbsent(tool.server(), server -> new ArrayList<>()).add(tool.json());
            }
        }
        Map<String, String> servers = new TreeMap<>();
        kept.forEach((server, tools) -> servers.put(server, text(server, tools)));
        int tools = kept.values().stream().mapToInt(List::size).sum();
        return new KnownTools(servers, tools, questions);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Definition> definitions() {
        try (InputStream in = KnownTools.class.getResourceAsStream("definitions.tsv")) {
            if (in == null) {
                throw new AssertionError("definitions.tsv is missing");
            }
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(line -> line.split("\t", 3))
                    .map(parts -> new Definition(parts[0], parts[1], parts[2]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String server, List<String> tools) {
        JsonWriter text = new JsonWriter().beginObject().name("fusebox").raw("1");
        text.name("server").string(server);
        text.name("readAt")
                .string(SingleServerHarness.PLATFORM
                        .wallClock()
                        .instant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString());
        for (CatalogKind kind : CatalogKind.values()) {
            text.name(kind.member()).beginArray();
            (kind == CatalogKind.TOOLS ? tools : List.<String>of()).forEach(text::raw);
            text.endArray();
        }
        return text.endObject().toString();
    }

    /// The questions that nothing was tuned with.
    List<Question> heldOut() {
        return heldOut(questions);
    }

    private static List<Question> heldOut(List<Question> questions) {
        return every(questions, 1);
    }

    List<Question> forTuning() {
        return every(questions, 0);
    }

    private static List<Question> every(List<Question> questions, int first) {
        List<Question> half = new ArrayList<>();
        for (int i = first; i < questions.size(); i += 2) {
            half.add(questions.get(i));
        }
        return half;
    }

    @Override
    public byte @Nullable [] load(String identity) {
        String text = servers.get(identity);
        return text == null ? null : text.getBytes(UTF_8);
    }

    @Override
    public void keep(String identity, String text) {
        throw new AssertionError("no server was asked, and " + identity + " is kept");
    }
}
