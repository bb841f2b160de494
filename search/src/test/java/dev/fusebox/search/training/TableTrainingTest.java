package dev.fusebox.search.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.model.WordPieceTokenizer;
import dev.fusebox.search.model.WordTable;
import dev.fusebox.search.model.WordTableFile;
import dev.fusebox.search.training.QuestionSet.Question;
import dev.fusebox.search.training.TableEvaluation.Rates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the training of the word table, with few dimensions and random initial vectors.
///
/// Takes over five seconds on a busy machine: it trains for some hundred steps.
@Timeout(120)
class TableTrainingTest {
    private static final int WIDTH = 48;
    private static final int EVERY = 8;

    private static TrainingSettings settings(int steps) {
        return new TrainingSettings(WIDTH, steps, 96, 0.1f, 0.02f, 0.2f, 0, 7);
    }

    /// The same for each test.
    private static float[][] initial(QuestionSet set, TrainingProgram program) {
        List<String> texts = set.tools().stream().map(ToolExample::text).toList();
        double[] rarities = InitialTable.rarities(
                texts, program.tokenizer(), program.vocabulary().size());
        Random random = new Random(1);
        float[][] initial = new float[rarities.length][WIDTH];
        for (int piece = 0; piece < initial.length; piece++) {
            for (int i = 0; i < WIDTH; i++) {
                initial[piece][i] = (float) (rarities[piece] * random.nextGaussian() / Math.sqrt(WIDTH));
            }
        }
        return initial;
    }

    /// The tools of some servers, with their questions as those for training and as held out.
    private static QuestionSet part(QuestionSet set, IntPredicate servers) {
        List<String> names =
                set.tools().stream().map(ToolExample::server).distinct().toList();
        List<Integer> chosen = IntStream.range(0, set.tools().size())
                .filter(tool -> servers.test(names.indexOf(set.tools().get(tool).server())))
                .boxed()
                .toList();
        List<Question> questions = set.training().stream()
                .filter(question -> chosen.containsAll(question.answers()))
                .map(question -> new Question(
                        question.text(),
                        Set.of(chosen.indexOf(question.answers().iterator().next()))))
                .toList();
        List<ToolExample> tools = chosen.stream().map(set.tools()::get).toList();
        List<Integer> all = IntStream.range(0, tools.size()).boxed().toList();
        return new QuestionSet("part", tools, all, questions, questions);
    }

    private static byte[] trained(QuestionSet set, int steps, TrainingProgram program) {
        List<TableTraining.Share> shares = List.of(
                new TableTraining.Share(BatchSampler.ofQuestions(set), 0.8),
                new TableTraining.Share(BatchSampler.ofNames(set), 0.2));
        return WordTableFile.of(
                new TableTraining(settings(steps), program.tokenizer(), shares).trained(initial(set, program)));
    }

    private static Rates rates(byte[] table, QuestionSet set, WordPieceTokenizer tokenizer) throws IOException {
        return new TableEvaluation(WordTable.read(new ByteArrayInputStream(table), tokenizer), set.tools())
                .ofTable(set.heldOut());
    }

    @Test
    void training_improves_search_for_tools_of_servers_that_were_not_trained_with() throws IOException {
        TrainingProgram program = TrainingProgram.open();
        QuestionSet trained = part(Sources.written(), server -> server % EVERY != 0);
        QuestionSet heldOut = part(Sources.written(), server -> server % EVERY == 0);
        Rates before = rates(trained(trained, 0, program), heldOut, program.tokenizer());
        Rates after = rates(trained(trained, 400, program), heldOut, program.tokenizer());
        assertThat(after.first()).as("before %s, after %s", before, after).isGreaterThan(1.5 * before.first());
        assertThat(after.firstFive()).as("before %s, after %s", before, after).isGreaterThan(1.5 * before.firstFive());
    }

    @Test
    void training_gives_the_same_bytes_each_time() throws IOException {
        TrainingProgram program = TrainingProgram.open();
        QuestionSet some = part(Sources.written(), server -> server % EVERY == 0);
        byte[] once = trained(some, 30, program);
        assertThat(trained(some, 30, program)).isEqualTo(once);
        assertThat(trained(some, 0, program)).isNotEqualTo(once);
    }

    @Test
    void fields_of_comma_separated_values_may_be_quoted() {
        assertThat(CommaSeparated.rows("a,b\r\n\"x, \"\"y\"\"\nz\",\n"))
                .containsExactly(List.of("a", "b"), List.of("x, \"y\"\nz", ""));
    }
}
