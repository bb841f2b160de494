package dev.fusebox.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A data set of real tools (527 of 70 servers, from the data set LiveMCPTool of LiveMCPBench, Apache-2.0), and
/// questions in plain words with the tools that answer them. Every other question is for tuning, the rest is held
/// out. Immutable.
public record RealTools(List<String> ids, List<Document> documents, List<Question> questions) {
    /// A question in plain words.
    ///
    /// @param answers the acceptable tools, each as `server/tool`
    public record Question(String text, Set<String> answers) {}

    public static RealTools open() {
        List<String> ids = new ArrayList<>();
        List<Document> documents = new ArrayList<>();
        for (String line : lines("tools.tsv")) {
            String[] parts = line.split("\t", -1);
            ids.add(parts[0] + "/" + parts[1]);
            documents.add(new Document(parts[1], parts[0], parts[2], parts[3]));
        }
        List<Question> questions = lines("questions.tsv").stream()
                .map(line -> line.split("\t", -1))
                .map(parts -> new Question(parts[0], Set.of(parts[1].split(","))))
                .toList();
        return new RealTools(ids, documents, questions);
    }

    static List<String> lines(String file) {
        try (InputStream in = RealTools.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new AssertionError(file + " is missing");
            }
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<ToolText> toolTexts() {
        return documents.stream().map(document -> ToolText.of(() -> document)).toList();
    }

    /// The questions that were not used for tuning.
    public List<Question> heldOut() {
        return every(1);
    }

    public List<Question> forTuning() {
        return every(0);
    }

    private List<Question> every(int first) {
        List<Question> half = new ArrayList<>();
        for (int i = first; i < questions.size(); i += 2) {
            half.add(questions.get(i));
        }
        return half;
    }
}
