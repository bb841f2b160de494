package dev.fusebox.search;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Words in the names of tools for opposite or different actions: `lock_door` and `unlock_door` have almost the same
/// meaning for a model, but must not pass for equivalent. Stateless, thread-safe.
final class Antonyms {
    private static final List<String> PREFIXES = List.of("un", "dis", "de");

    /// Shorter words with a prefix are often other words.
    private static final int MIN_STEM = 4;

    /// Pairs; some words have several antonyms.
    private static final Map<String, List<String>> PAIRS = pairs("""
            open close  reopen close  start stop  run stop  start finish  start cancel  begin end  launch terminate
            enable disable  add remove  add delete  create delete  create remove  create destroy  create drop
            create cancel  create update  update delete  insert delete  push pull  push pop  upload download
            encrypt decrypt  encode decode  import export  increase decrease  increment decrement  on off  up down
            install uninstall  connect disconnect  attach detach  pause resume  stop resume  play pause  play stop
            approve reject  approve deny  approve decline  accept reject  accept decline  accept deny  allow deny
            allow block  grant revoke  grant deny  acquire release  like unlike  deposit withdraw  credit debit
            buy sell  bid ask  login logout  in out  show hide  join leave  enter exit  merge split
            compress decompress  compress extract  zip unzip  zip extract  next previous  first last  min max
            mute unmute  raise lower  expand collapse  archive restore  delete restore  remove restore  store restore
            save load  backup restore  send receive  lend borrow  arm disarm  hire fire  promote demote
            upgrade downgrade  subscribe cancel  book cancel  order cancel  schedule cancel  set reset  set clear
            freeze thaw  lock open  undo redo  commit rollback  publish withdraw  before after  left right
            upvote downvote  source target  checkin checkout  heat cool  pin unpin  win lose""");

    private Antonyms() {}

    private static Map<String, List<String>> pairs(String text) {
        String[] words = text.split("\\s+", -1);
        return Stream.iterate(0, i -> i + 1 < words.length, i -> i + 2)
                .flatMap(i -> Stream.of(Map.entry(words[i], words[i + 1]), Map.entry(words[i + 1], words[i])))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /// Whether a word that only the first name has is an antonym of a word that only the second has, or both names say
    /// what a thing is turned into (`text_to_speech` and `speech_to_text`), and that differs.
    static boolean areIn(String name, String other) {
        if (name.equals(other)) {
            return false;
        }
        List<String> words = Tokenizer.parts(name);
        List<String> others = Tokenizer.parts(other);
        String target = target(words);
        String otherTarget = target(others);
        return (target != null && otherTarget != null && !target.equals(otherTarget))
                || words.stream()
                        .filter(word -> !others.contains(word))
                        .anyMatch(word ->
                                others.stream().anyMatch(each -> !words.contains(each) && areAntonyms(word, each)));
    }

    /// The word after `to`; null for none.
    private static @Nullable String target(List<String> words) {
        int at = words.indexOf("to");
        return at >= 0 && at + 1 < words.size() ? words.get(at + 1) : null;
    }

    private static boolean areAntonyms(String one, String other) {
        return PAIRS.getOrDefault(one, List.of()).contains(other) || isNegated(one, other) || isNegated(other, one);
    }

    private static boolean isNegated(String negated, String word) {
        return word.length() >= MIN_STEM
                && !negated.equals("display")
                && PREFIXES.stream().anyMatch(prefix -> negated.equals(prefix + word));
    }
}
