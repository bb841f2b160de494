package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People who do not know the words of a tool find it. All figures stand in docs/search.md; here a part of the
/// tools is read, with every tool that a held-out question is about.
///
/// Over five seconds: some hundred descriptions are read by the model.
@Timeout(240)
class QualityTest {
    private static final int EVERY = 8;

    private static Shop part() {
        Shop all = Shop.open();
        Set<String> wanted = new HashSet<>();
        all.heldOut().forEach(question -> wanted.addAll(question.answers()));
        List<String> ids = new ArrayList<>();
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < all.ids().size(); i++) {
            if (i % EVERY == 0 || wanted.contains(all.ids().get(i))) {
                ids.add(all.ids().get(i));
                documents.add(all.documents().get(i));
            }
        }
        return new Shop(ids, documents, all.questions());
    }

    @Test
    void words_and_meaning_together_find_more_than_words_alone() throws IOException {
        Shop shop = part();
        MiniLm model = MiniLm.load().orElseThrow();
        VectorStore vectors = new VectorStore();
        SearchIndex searchIndex = new SearchIndex(shop.toolTexts(), vectors);
        Recall lexical = Recall.of(shop, shop.heldOut(), query -> searchIndex.find(query, null, index -> true, 10));
        searchIndex.missing().forEach(toolText -> vectors.learn(toolText, model));
        Recall hybrid = Recall.of(
                shop, shop.heldOut(), query -> searchIndex.find(query, model.embed(query), index -> true, 10));
        assertThat(hybrid.atFive()).as("hybrid %s, lexical %s", hybrid, lexical).isGreaterThan(0.8);
        assertThat(hybrid.atFive()).isGreaterThan(lexical.atFive() + 0.1);
        assertThat(hybrid.reciprocalRank()).isGreaterThan(lexical.reciprocalRank());
    }

    @Test
    void there_are_enough_questions_for_enough_tools() {
        Shop shop = Shop.open();
        assertThat(shop.questions()).hasSizeGreaterThanOrEqualTo(120);
        Set<String> tools = new HashSet<>();
        shop.questions().forEach(question -> tools.addAll(question.answers()));
        assertThat(tools).hasSizeGreaterThan(100);
        assertThat(shop.ids()).containsAll(tools);
        assertThat(shop.forTuning()).doesNotContainAnyElementsOf(shop.heldOut());
    }
}
