package dev.fusebox.search.training;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.RealTools;
import dev.fusebox.search.training.QuestionSet.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A reader of the training and test data of `search/training`. Immutable, thread-safe; reading blocks.
final class Sources {
    private static final Path TRAINING = Path.of("training");

    private static final String SEAL = "Seal-Tools/Seal-Tools_Dataset/";
    private static final String LINK = "ToolLinkOS/toollinkos/";
    private static final String META = "MetaTool/dataset/";

    private final Path folder;

    private Sources(Path folder) {
        this.folder = folder;
    }

    /// The questions that were written for this project.
    static QuestionSet written() throws IOException {
        List<ToolExample> tools = new ArrayList<>();
        List<Question> questions = new ArrayList<>();
        for (Path file : filesOf(TRAINING.resolve("written"))) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split("\t", -1);
                for (String text : List.of(parts[4], parts[5], parts[6])) {
                    questions.add(new Question(text, Set.of(tools.size())));
                }
                tools.add(new ToolExample(parts[0], parts[1], parts[2], parts[3]));
            }
        }
        List<Integer> all = IntStream.range(0, tools.size()).boxed().toList();
        return new QuestionSet("written", List.copyOf(tools), all, List.copyOf(questions), List.of());
    }

    /// In the order of their names, which folders do not keep.
    private static Set<Path> filesOf(Path folder) throws IOException {
        Set<Path> sorted = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.tsv")) {
            files.forEach(sorted::add);
        }
        return sorted;
    }

    /// The real tools of the search tests: questions for tuning in place of those for training, which there are
    /// not.
    static QuestionSet realTools() {
        RealTools realTools = RealTools.open();
        List<ToolExample> tools = realTools.documents().stream()
                .map(it -> new ToolExample(it.group(), it.name(), it.description(), it.details()))
                .toList();
        return new QuestionSet(
                "own", tools, List.of(), of(realTools, realTools.forTuning()), of(realTools, realTools.heldOut()));
    }

    private static List<Question> of(RealTools realTools, List<RealTools.Question> questions) {
        return questions.stream()
                .map(question -> {
                    Set<Integer> answers = new TreeSet<>();
                    question.answers().forEach(id -> answers.add(realTools.ids().indexOf(id)));
                    return new Question(question.text(), answers);
                })
                .toList();
    }

    /// The data sets in a folder, which has one folder for each repository.
    ///
    /// @throws IOException if a file is missing, or is not the one in `sources.sha256`
    static List<QuestionSet> in(Path folder) throws IOException {
        for (String line : Files.readAllLines(TRAINING.resolve("sources.sha256"))) {
            String[] parts = line.split(" +", -1);
            Path file = folder.resolve(parts[1]);
            if (!Files.exists(file)) {
                throw new IOException(file + " is missing; search/training/README.md says where it comes from");
            }
            if (!HexFormat.of()
                    .formatHex(digest("SHA-256", Files.readAllBytes(file)))
                    .equals(parts[0])) {
                throw new IOException(file + " is not the version in sources.sha256");
            }
        }
        Sources sources = new Sources(folder);
        return List.of(sources.metaTool(), sources.sealTools(), sources.toolLink());
    }

    // ---- The data sets

    private QuestionSet metaTool() throws IOException {
        Builder builder = new Builder("MetaTool");
        json(Files.readString(folder.resolve(META + "plugin_des.json")))
                .forEachMember((name, text) ->
                        builder.add(new ToolExample("", name, Objects.requireNonNull(text.string()), "")));
        List<List<String>> rows =
                CommaSeparated.rows(Files.readString(folder.resolve(META + "data/all_clean_data.csv")));
        for (List<String> row : rows.subList(1, rows.size())) {
            builder.ask(row.get(0), List.of(row.get(1)), true);
        }
        return builder.build();
    }

    private QuestionSet sealTools() throws IOException {
        Builder builder = new Builder("Seal-Tools");
        for (String line : Files.readAllLines(folder.resolve(SEAL + "tool.jsonl"))) {
            JsonView tool = json(line);
            List<String> parameters = new ArrayList<>();
            member(tool, "parameters")
                    .forEachMember((name, it) -> parameters.add(name + " " + text(it, "description")));
            builder.add(new ToolExample(
                    "", text(tool, "api_name"), text(tool, "api_description"), String.join("; ", parameters)));
        }
        askSeal(builder, "dev.jsonl", true);
        askSeal(builder, "test_in_domain.jsonl", false);
        askSeal(builder, "test_out_domain.jsonl", false);
        return builder.build();
    }

    /// @param isTraining whether questions without test tools are trained with
    private void askSeal(Builder builder, String file, boolean isTraining) throws IOException {
        for (String line : Files.readAllLines(folder.resolve(SEAL + file))) {
            JsonView question = json(line);
            List<String> answers = member(question, "calling").elements().stream()
                    .map(call -> text(call, "api"))
                    .distinct()
                    .toList();
            builder.ask(text(question, "query"), answers, isTraining);
        }
    }

    private QuestionSet toolLink() throws IOException {
        Builder builder = new Builder("ToolLinkOS");
        for (String file : List.of("regular_tools.json", "core_tools.json")) {
            for (JsonView tool :
                    json(Files.readString(folder.resolve(LINK + file))).elements()) {
                List<String> parameters = member(tool, "parameters").elements().stream()
                        .map(it -> text(it, "name") + " " + text(it, "description"))
                        .toList();
                builder.add(new ToolExample(
                        "", text(tool, "name"), text(tool, "description"), String.join("; ", parameters)));
            }
        }
        for (JsonView question :
                json(Files.readString(folder.resolve(LINK + "instances.json"))).elements()) {
            builder.ask(text(question, "user_query"), List.of(text(question, "main_golden_function_name")), true);
        }
        return builder.build();
    }

    /// Divides the questions of a data set by their tools. For one thread.
    private static final class Builder {
        private final String name;
        private final List<ToolExample> tools = new ArrayList<>();
        private final Map<String, Integer> places = new HashMap<>();
        private final Set<Question> training = new LinkedHashSet<>();
        private final Set<Question> heldOut = new LinkedHashSet<>();

        Builder(String name) {
            this.name = name;
        }

        void add(ToolExample tool) {
            if (places.putIfAbsent(tool.tool(), tools.size()) == null) {
                tools.add(tool);
            }
        }

        /// A question of several tools is only trained with; one whose tool is unknown is of no use.
        void ask(String text, List<String> answers, boolean isTraining) {
            if (!places.keySet().containsAll(answers)) {
                return;
            }
            Question question = new Question(
                    text, new TreeSet<>(answers.stream().map(places::get).toList()));
            if (answers.stream().noneMatch(Sources::isTested)) {
                if (isTraining) {
                    training.add(question);
                }
            } else if (answers.size() == 1) {
                heldOut.add(question);
            }
        }

        QuestionSet build() {
            List<Integer> trainable = IntStream.range(0, tools.size())
                    .filter(index -> !isTested(tools.get(index).tool()))
                    .boxed()
                    .toList();
            return new QuestionSet(name, List.copyOf(tools), trainable, List.copyOf(training), List.copyOf(heldOut));
        }
    }

    /// Whether a tool of another data set belongs to the test.
    static boolean isTested(String tool) {
        return (digest("MD5", tool.getBytes(StandardCharsets.UTF_8))[0] & 1) == 1;
    }

    private static byte[] digest(String algorithm, byte[] content) {
        try {
            return MessageDigest.getInstance(algorithm).digest(content);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has " + algorithm, impossible);
        }
    }

    // ---- JSON

    private static JsonView json(String text) throws IOException {
        try {
            return JsonView.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError e) {
            throw new IOException("a file of the sources is not JSON: " + e.getMessage(), e);
        }
    }

    private static JsonView member(JsonView of, String name) {
        return Objects.requireNonNull(of.member(name), name);
    }

    private static String text(JsonView of, String name) {
        return Objects.requireNonNullElse(of.string(name), "");
    }
}
