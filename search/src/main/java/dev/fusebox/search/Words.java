package dev.fusebox.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes a text apart into words as an index has them: names split where their parts meet, in small letters, without
/// their endings and without words that say nothing. Pure functions, thread-safe.
final class Words {
    /// A run of capitals up to the one that begins the next word, a word, or a number: `getHTTPUrl2` has four.
    private static final Pattern PART =
            Pattern.compile("\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{L}&&[^\\p{Lu}]]+|\\p{Lu}+|\\p{N}+");

    private static final int LONGEST = 20_000;

    /// What stands in every question and in every description.
    private static final Set<String> IDLE = Set.of("""
            a an and any are as at be been but by can could did do does for from had has have how i if in into is it
            its just let like me my need of on or our please shall should so some tell that the their them then there
            these they this to us want was we were what when where which who will with would you your given specified
            using use used via tool provides allows optional required""".split("\\s+"));

    private static final List<String> HISSED = List.of("sses", "shes", "ches", "xes", "zes");
    private static final List<String> NO_PLURALS = List.of("ss", "us", "is");
    private static final List<String> ENDINGS =
            List.of("ization", "ation", "ition", "ing", "ment", "ion", "ed", "er", "or", "ly");

    private Words() {}

    static List<String> of(String text) {
        List<String> words = new ArrayList<>();
        Matcher part = PART.matcher(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
        while (part.find()) {
            String word = part.group().toLowerCase(Locale.ROOT);
            if (!IDLE.contains(word)) {
                words.add(stem(word));
            }
        }
        return words;
    }

    /// The parts of a name as a sentence has them: `createIssue_v2` is `create Issue v 2`.
    static String spaced(String name) {
        return PART.matcher(name)
                .results()
                .map(part -> part.group())
                .reduce("", (one, next) -> (one + " " + next).strip());
    }

    /// Takes endings off by rule, the longest first; what is left need be no word, only the same for all forms.
    static String stem(String word) {
        String stem = word;
        if (stem.length() > 4 && stem.endsWith("ies")) {
            stem = stem.substring(0, stem.length() - 3) + "y";
        } else if (stem.length() > 4 && endsInOneOf(stem, HISSED)) {
            stem = stem.substring(0, stem.length() - 2);
        } else if (stem.length() > 3 && stem.endsWith("s") && !endsInOneOf(stem, NO_PLURALS)) {
            stem = stem.substring(0, stem.length() - 1);
        }
        for (String ending : ENDINGS) {
            if (stem.length() - ending.length() >= 3 && stem.endsWith(ending)) {
                stem = stem.substring(0, stem.length() - ending.length());
                break;
            }
        }
        return undoubled(stem.length() > 3 && stem.endsWith("e") ? stem.substring(0, stem.length() - 1) : stem);
    }

    private static boolean endsInOneOf(String word, List<String> endings) {
        for (String ending : endings) {
            if (word.endsWith(ending)) {
                return true;
            }
        }
        return false;
    }

    /// `planning` was `plan`.
    private static String undoubled(String stem) {
        int last = stem.length() - 1;
        boolean isDoubled =
                last > 2 && stem.charAt(last) == stem.charAt(last - 1) && "bdgmnprt".indexOf(stem.charAt(last)) >= 0;
        return isDoubled ? stem.substring(0, last) : stem;
    }
}
