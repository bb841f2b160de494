package dev.fusebox.search.training;

import dev.fusebox.search.training.BatchSampler.Pair;
import dev.fusebox.search.training.TableTraining.Share;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/// Writes the batches with which `tune_model.py` tunes the sentence model: a pair of question and text a line, as the
/// ids of their word pieces and the number of the tool; an empty line ends a batch. The same data give the same file.
/// Run by `search/training/tune-model`, in the folder of the module. Stateless.
final class ModelBatches {
    private static final int STEPS = 450;
    private static final int SIZE = 48;
    private static final long SEED = 1;

    /// Questions are short; a longer one says the same in its beginning.
    private static final int QUESTION_PIECES = 48;

    /// Nine of ten texts have fewer.
    private static final int TEXT_PIECES = 72;

    private ModelBatches() {}

    /// Writes all batches.
    ///
    /// @param arguments the file to write, and optionally the folder of the other sources
    public static void main(String[] arguments) throws IOException {
        List<QuestionSet> others = arguments.length > 1 ? Sources.in(Path.of(arguments[1])) : List.of();
        TrainingProgram program = TrainingProgram.open();
        List<Share> shares = TrainingProgram.shares(Sources.written(), others);
        Random random = new Random(SEED);
        try (BufferedWriter file = Files.newBufferedWriter(Path.of(arguments[0]), StandardCharsets.US_ASCII)) {
            for (int step = 0; step < STEPS; step++) {
                for (Pair pair : Share.any(shares, random).next(SIZE, random)) {
                    file.write(line(program, pair));
                }
                file.write("\n");
            }
        }
    }

    private static String line(TrainingProgram program, Pair pair) {
        return ids(program, pair.question(), QUESTION_PIECES) + "\t" + ids(program, pair.text(), TEXT_PIECES) + "\t"
                + pair.tool() + "\n";
    }

    private static String ids(TrainingProgram program, String text, int most) {
        int[] ids = program.tokenizer().numbers(text);
        int last = ids[ids.length - 1];
        int[] some = Arrays.copyOf(ids, Math.min(most, ids.length));
        some[some.length - 1] = last;
        return Arrays.stream(some).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }
}
