package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of search quality with the questions of people who do not know the words of a tool. All figures are in
/// docs/search.md; here a part of the tools is read, with every tool of a held-out question.
///
/// Takes over five seconds: the model reads some hundred descriptions.
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
    void hybrid_search_finds_more_than_word_search() throws IOException {
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
    void data_set_has_enough_questions_and_tools() {
        Shop shop = Shop.open();
        assertThat(shop.questions()).hasSizeGreaterThanOrEqualTo(120);
        Set<String> tools = new HashSet<>();
        shop.questions().forEach(question -> tools.addAll(question.answers()));
        assertThat(tools).hasSizeGreaterThan(100);
        assertThat(shop.ids()).containsAll(tools);
        assertThat(shop.forTuning()).doesNotContainAnyElementsOf(shop.heldOut());
    }
}
