package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ServerFile.Problem;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An object of a configuration file that knows where it stands. Whatever is wrong in it is told with its JSON pointer
/// (RFC 6901). Immutable.
///
/// @param pointer to the object; empty for the whole file
/// @param members in the order of the file
record Section(String pointer, Map<String, JsonView> members) {
    /// Reads an object; one that has a name twice is refused, because nobody can tell which of the two is meant.
    static Section of(String pointer, JsonView value) throws Problem {
        if (!value.isObject()) {
            throw new Problem((pointer.isEmpty() ? "the file" : pointer) + " is not an object");
        }
        Map<String, JsonView> members = new LinkedHashMap<>();
        Set<String> twice = new HashSet<>();
        value.forEachMember((name, member) -> {
            if (members.put(name, member) != null) {
                twice.add(name);
            }
        });
        if (!twice.isEmpty()) {
            throw new Problem(at(pointer, twice.iterator().next()) + " stands twice");
        }
        return new Section(pointer, members);
    }

    private static String at(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    Problem problem(String name, String what) {
        return new Problem(at(pointer, name) + " " + what);
    }

    /// Refuses every member but these.
    ///
    /// @param where for the message, such as ` for a server with a url`
    void only(Set<String> known, String where) throws Problem {
        for (String name : members.keySet()) {
            if (!known.contains(name)) {
                throw problem(name, "is not known yet" + where);
            }
        }
    }

    /// An object in it; one without members if there is none.
    Section section(String name) throws Problem {
        JsonView value = members.get(name);
        return value == null ? new Section(at(pointer, name), Map.of()) : of(at(pointer, name), value);
    }

    /// Null if it is not there.
    @Nullable
    String text(String name) throws Problem {
        JsonView value = members.get(name);
        return value == null ? null : text(name, value);
    }

    private String text(String name, JsonView value) throws Problem {
        String text = value.string();
        if (text == null) {
            throw problem(name, "is not a string");
        }
        return text;
    }

    /// Empty if it is not there.
    List<String> texts(String name) throws Problem {
        JsonView value = members.get(name);
        if (value != null && !value.isArray()) {
            throw problem(name, "is not a list of strings");
        }
        Section list = new Section(at(pointer, name), Map.of());
        List<String> texts = new ArrayList<>();
        for (JsonView element : value == null ? List.<JsonView>of() : value.elements()) {
            texts.add(list.text(Integer.toString(texts.size()), element));
        }
        return texts;
    }

    /// Names with texts; none if it is not there.
    Map<String, String> variables(String name) throws Problem {
        Section inner = section(name);
        Map<String, String> variables = new LinkedHashMap<>();
        for (Map.Entry<String, JsonView> member : inner.members.entrySet()) {
            variables.put(member.getKey(), inner.text(member.getKey(), member.getValue()));
        }
        return variables;
    }

    /// A whole number within bounds; the preset if it is not there.
    long number(String name, long preset, long least, long most) throws Problem {
        JsonView value = members.get(name);
        if (value == null) {
            return preset;
        }
        String json = value.json();
        // Digits enough for every bound, and few enough for the parser.
        boolean isWhole = value.isNumber() && json.matches("-?[0-9]{1,15}");
        long number = isWhole ? Long.parseLong(json) : Long.MIN_VALUE;
        if (number < least || number > most) {
            throw problem(name, "is not a whole number from " + least + " to " + most);
        }
        return number;
    }
}
