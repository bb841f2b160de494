package dev.fusebox.search.training;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.model.SentenceModel;
import dev.fusebox.search.model.UntunedModel;
import dev.fusebox.search.model.WordPieceTokenizer;
import dev.fusebox.search.model.WordTable;
import dev.fusebox.search.model.WordTableFile;
import dev.fusebox.search.training.TableTraining.Share;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Trains the bundled word table, writes it and the vocabulary of its pieces, and prints how well it finds the tools of
/// the held-out questions. Run by
/// `search/training/train-table`, in the folder of the module. Immutable, thread-safe.
///
/// @param vocabulary the word pieces by their ids
record TrainingProgram(List<String> vocabulary, WordPieceTokenizer tokenizer) {
    private static final String TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json";

    /// Shares of the batches without other sources: written questions, and names of their tools.
    private static final double WRITTEN = 0.6;

    private static final double WRITTEN_NAMES = 0.1;

    /// Shares of the other sources in their order: questions, and names of their tools. Tools of MetaTool have no names
    /// that say what they do.
    private static final List<Double> OTHERS = List.of(0.15, 0.05, 0.1);

    private static final List<Double> OTHER_NAMES = List.of(0.0, 0.05, 0.05);

    /// Trains with all sources, or with the written questions only.
    ///
    /// @param arguments the file to write, and optionally the folder of the other sources
    public static void main(String[] arguments) throws IOException {
        List<QuestionSet> others = arguments.length > 1 ? Sources.in(Path.of(arguments[1])) : List.of();
        TrainingProgram program = open();
        byte[] file = program.trained(Sources.written(), others);
        Files.write(Path.of(arguments[0]), file);
        Files.write(
                Path.of(arguments[0]).resolveSibling("vocabulary.bin"),
                program.tokenizer().written());
        System.out.println("held-out questions: first / among the first five, by the table alone");
        WordTable table = WordTable.read(new ByteArrayInputStream(file), program.tokenizer());
        List<QuestionSet> measured = new ArrayList<>(List.of(Sources.realTools()));
        measured.addAll(others);
        measured.forEach(set -> System.out.println(measured(table, set)));
    }

    static TrainingProgram open() throws IOException {
        try (InputStream in = Objects.requireNonNull(SentenceModel.class.getResourceAsStream(TOKENIZER), TOKENIZER)) {
            byte[] json = in.readAllBytes();
            List<String> vocabulary = new ArrayList<>();
            Objects.requireNonNull(JsonView.of(new String(json, StandardCharsets.UTF_8))
                            .path("model", "vocab"))
                    .forEachMember((piece, id) -> {
                        if (!id.json().equals(String.valueOf(vocabulary.size()))) {
                            throw new IllegalStateException(
                                    "the vocabulary is not in the order of its ids at " + piece);
                        }
                        vocabulary.add(piece);
                    });
            return new TrainingProgram(List.copyOf(vocabulary), WordPieceTokenizer.of(json));
        }
    }

    static List<Share> shares(QuestionSet written, List<QuestionSet> others) {
        List<Share> shares = new ArrayList<>();
        shares.add(new Share(BatchSampler.ofQuestions(written), WRITTEN));
        shares.add(new Share(BatchSampler.ofNames(written), WRITTEN_NAMES));
        for (int i = 0; i < others.size(); i++) {
            shares.add(new Share(BatchSampler.ofQuestions(others.get(i)), OTHERS.get(i)));
            shares.add(new Share(BatchSampler.ofNames(others.get(i)), OTHER_NAMES.get(i)));
        }
        return shares;
    }

    private byte[] trained(QuestionSet written, List<QuestionSet> others) throws IOException {
        List<Share> shares = shares(written, others);
        TrainingSettings settings = TrainingSettings.ofTheBundledTable();
        float[][] embedded = InitialTable.embedded(vocabulary, UntunedModel.load());
        List<QuestionSet> all = new ArrayList<>(List.of(written));
        all.addAll(others);
        float[][] initial = InitialTable.of(embedded, rarities(all), settings.width());
        return WordTableFile.of(new TableTraining(settings, tokenizer, shares).trained(initial));
    }

    /// By the tools of all sources, and the written questions. Special pieces, which no text contains, get zero.
    private double[] rarities(List<QuestionSet> sets) {
        List<String> texts = new ArrayList<>();
        sets.forEach(set ->
                set.trainable().forEach(tool -> texts.add(set.tools().get(tool).text())));
        sets.getFirst().training().forEach(question -> texts.add(question.text()));
        double[] rarities = InitialTable.rarities(texts, tokenizer, vocabulary.size());
        Arrays.setAll(rarities, piece -> InitialTable.isSpecial(vocabulary.get(piece)) ? 0 : rarities[piece]);
        return rarities;
    }

    private static String measured(WordTable table, QuestionSet set) {
        TableEvaluation evaluation = new TableEvaluation(table, set.tools());
        return set.name() + ", " + set.heldOut().size() + " questions, "
                + set.tools().size() + " tools: " + evaluation.ofTable(set.heldOut());
    }
}
