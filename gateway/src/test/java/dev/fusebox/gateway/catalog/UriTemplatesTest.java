package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriTemplatesTest {
    @ParameterizedTest
    @CsvSource({
        "file:///{path}, file:///a/b.txt, true",
        "file:///{path}, file:///, true",
        "file:///{path}, http://a, false",
        "db://{table}/rows/{row}, db://users/rows/7, true",
        "db://{table}/rows/{row}, db://users/7, false",
        "db://{table}/rows/{row}.json, db://users/rows/7.xml, false",
        "db://{a}b{c}b, db://b, false",
        "db://{a}b{c}b, db://xbyb, true",
        "note:all, note:all, true",
        "note:all, note:all2, false",
        "{anything}, file:///a, false",
    })
    void what_stands_outside_of_braces_has_to_be_there_in_order(String template, String address, boolean matches) {
        assertThat(UriTemplates.matches(template, address)).isEqualTo(matches);
    }
}
