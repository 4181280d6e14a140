package io.strowger.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Holds the walk of {@link InferenceRequest#editTexts} against the decoders' tables, as they are
 * written: a rule a line, so a new line is found without a list of lines.
 */
@DisplayName("Of the members of settings and declarations that a decoder lists, an editor")
class TextualMembersTest {
  private static final Path DECODERS = Path.of("src/main/java/io/strowger/core/dialect");

  /** The tables of bodies, whose lines are members of a request itself. */
  private static final List<String> BODIES =
      List.of("chat/ChatDecoder", "messages/MessagesDecoder", "responses/ResponsesDecoder");

  /** Members that are part of the conversation, which is walked in another way. */
  private static final Set<String> CONVERSATION =
      Set.of("messages", "input", "system", "instructions", "content");

  /** Members that are texts and yet no words: names, ids, and what only the gateway reads. */
  private static final Set<String> NO_WORDS =
      Set.of(
          "ChatDecoder.model",
          "ChatDecoder.models",
          "ChatDecoder.name",
          "ChatDecoder.preset",
          "ChatDecoder.session_id",
          "ChatDecoder.user",
          "ChatToolRules.name",
          "ContextManagement.exclude_tools",
          "MessagesDecoder.model",
          "MessagesDecoder.models",
          "MessagesDecoder.session_id",
          "MessagesDecoder.user",
          "MessagesTools.model",
          "MessagesTools.name",
          "MessagesTools.required",
          "ModelTools.analysis_models",
          "ModelTools.inherited_function_names",
          "ModelTools.model",
          "ModelTools.name",
          "ModelTools.type",
          "ResponsesDecoder.id",
          "ResponsesDecoder.model",
          "ResponsesDecoder.models",
          "ResponsesDecoder.name",
          "ResponsesDecoder.safety_identifier",
          "ResponsesDecoder.session_id",
          "ResponsesDecoder.user",
          "ResponsesTools.name",
          "UtilityTools.container_id",
          "UtilityTools.model");

  private static final Pattern LINE =
      Pattern.compile("\\.(?:required|optional)\\(\\s*\"(\\w+)\",\\s*([^;]*?)(?=\\n\\s*\\.|;)");
  private static final Pattern WORDS = Pattern.compile("\\bwordAmong\\(([^)]*)\\)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern TEXT =
      Pattern.compile(
          "\\b(string|text|textUpTo|name|any|models|matching)\\(|SLUG|FUNCTION_NAME|\\bSTOPS\\b|\\bROUTE\\b");
  private static final Pattern CONSTANT = Pattern.compile("\\b[A-Z]{2,}\\b");
  private static final Pattern OTHER_CLASS = Pattern.compile("\\b([A-Z]\\w+)(?=\\.|::)");

  /** One line of a table. */
  private record Line(String table, String name, String rule, boolean inBody) {
    List<String> words() {
      return WORDS.matcher(rule).results().map(MatchResult::group).flatMap(Line::literals).toList();
    }

    private static Stream<String> literals(String words) {
      return WORD.matcher(words).results().map(word -> word.group(1));
    }

    /** Says which tool, kind or caller is meant, or is read by the gateway only. */
    boolean isIdentity() {
      return Set.of("name", "type", "route", "allowed_callers").contains(name);
    }

    boolean isText() {
      return TEXT.matcher(rule).find();
    }

    @Override
    public String toString() {
      return table + "." + name;
    }
  }

  /** Follows the bodies' tables to those that they refer to, but for the conversation's. */
  private static List<Line> lines() throws IOException {
    var lines = new ArrayList<Line>();
    var found = new LinkedHashSet<>(BODIES);
    var open = new ArrayDeque<>(BODIES);
    while (!open.isEmpty()) {
      String table = open.remove();
      String source = Files.readString(DECODERS.resolve(table + ".java"));
      boolean isBody = BODIES.contains(table);
      int body = source.indexOf("Draft>table()"); // what stands before it is a part of a member
      assertThat(body >= 0).as(table).isEqualTo(isBody);
      var referring = new StringBuilder(isBody ? "" : source);
      for (MatchResult line : LINE.matcher(source).results().toList()) {
        String name = line.group(1);
        String rule = withConstants(line.group(2), source);
        boolean inBody = isBody && line.start() > body;
        lines.add(new Line(table.substring(table.indexOf('/') + 1), name, rule, inBody));
        boolean isWalked =
            !inBody
                || name.equals("tools") // walked one by one
                || isAsked(
                    Json.object().put(name, Json.object().put("any", "text").build()).build());
        if (isBody && isWalked && !CONVERSATION.contains(name)) {
          referring.append(line.group(2)).append('\n');
        }
      }
      for (String next : classes(referring, table)) {
        if (found.add(next)) {
          open.add(next);
        }
      }
    }
    return lines;
  }

  /** The classes of these packages that are referred to, by their path. */
  private static List<String> classes(CharSequence source, String from) {
    String folder = from.substring(0, from.indexOf('/') + 1);
    return OTHER_CLASS
        .matcher(source)
        .results()
        .flatMap(match -> Stream.of(folder + match.group(1), match.group(1)))
        .filter(path -> Files.exists(DECODERS.resolve(path + ".java")))
        .toList();
  }

  /** The rule, and behind it what the constants that it names stand for. */
  private static String withConstants(String rule, String source) {
    var all = new StringBuilder(rule);
    for (MatchResult constant : CONSTANT.matcher(rule).results().toList()) {
      Pattern.compile("\\bRule<[^=;]*\\b" + constant.group() + "\\s*=\\s*([^;]*);")
          .matcher(source)
          .results()
          .map(definition -> definition.group(1))
          .filter(definition -> !definition.contains("table()") && !definition.contains("->"))
          .forEach(definition -> all.append(' ').append(definition));
    }
    return all.toString();
  }

  /** Whether an editor is asked about a value of the member where it stands. */
  private static boolean isAsked(Line line, String text) {
    Json value = line.rule().contains("items(") ? list(Json.of(text)) : Json.of(text);
    Json.Obj own = Json.object().put(line.name(), value).build();
    return isAsked(line.inBody() ? own : Json.object().put("parent", own).build());
  }

  private static boolean isAsked(Json.Obj members) {
    var asked = new AtomicBoolean();
    InferenceRequest.builder(Dialect.CHAT, members)
        .build()
        .editTexts(
            (text, kind) -> {
              asked.set(true);
              return text;
            });
    return asked.get();
  }

  private static Json list(Json value) {
    return Json.array(List.of(value));
  }

  @Test
  @DisplayName("finds the tables by following the bodies' own, those of the gateway's tools too")
  void tables() throws IOException {
    assertThat(lines())
        .extracting(Line::table)
        .contains("SearchTools", "ModelTools", "UtilityTools", "SharedMembers")
        .doesNotContain("ChatPartRules", "ChatMessageRules", "ContentBlockRules", "InputItems");
  }

  @Test
  @DisplayName("is not asked about any word that the table allows")
  void words() throws IOException {
    var asked = new TreeSet<String>();
    int words = 0;
    for (Line line : lines()) {
      for (String word : line.words()) {
        words++;
        if (isAsked(line, word)) {
          asked.add(line + " " + word);
        }
      }
    }
    assertThat(words).isGreaterThan(100);
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("is asked about every text, but names, ids and what only the gateway reads")
  void texts() throws IOException {
    var unasked = new TreeSet<String>();
    for (Line line : lines()) {
      if (line.isText() && line.words().isEmpty() && !isAsked(line, "SECRET")) {
        unasked.add(line.toString());
      }
    }
    assertThat(unasked).containsExactlyInAnyOrderElementsOf(NO_WORDS);
  }

  @Test
  @DisplayName("is asked about what stands in place of a word that the table allows")
  void others() throws IOException {
    var unasked = new TreeSet<String>();
    for (Line line : lines()) {
      if (!line.words().isEmpty() && !isAsked(line, "SECRET") && !line.isIdentity()) {
        unasked.add(line.toString());
      }
    }
    assertThat(unasked).isEmpty();
  }
}
