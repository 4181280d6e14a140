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
 * Compares {@link InferenceRequest#editTexts} with the member tables in the source code of the
 * decoders. Each line of a table is one rule, so that members added later are tested, too.
 */
@DisplayName("The editor of a request's texts")
class TextualMembersTest {
  private static final Path DECODERS = Path.of("src/main/java/io/strowger/core/dialect");

  /** The decoders of request bodies; the lines of their tables are members of the body itself. */
  private static final List<String> BODIES =
      List.of("chat/ChatDecoder", "messages/MessagesDecoder", "responses/ResponsesDecoder");

  /** The members of the conversation, which {@code editTexts} reads in another way. */
  private static final Set<String> CONVERSATION =
      Set.of("messages", "input", "system", "instructions", "content");

  /** Members with text that is not edited: names, ids, and members that only the gateway reads. */
  private static final Set<String> NOT_EDITED =
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
          "ResponsesDecoder.id",
          "ResponsesDecoder.model",
          "ResponsesDecoder.models",
          "ResponsesDecoder.name",
          "ResponsesDecoder.safety_identifier",
          "ResponsesDecoder.session_id",
          "ResponsesDecoder.user",
          "ResponsesTools.name",
          "ServerToolRules.analysis_models",
          "ServerToolRules.container_id",
          "ServerToolRules.inherited_function_names",
          "ServerToolRules.model",
          "ServerToolRules.name",
          "ServerToolRules.type");

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

    /** Returns whether the member identifies a tool, type or caller, or is only for the gateway. */
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

  /**
   * Returns the lines of the bodies' tables and of all tables that they refer to, except those of
   * the conversation.
   */
  private static List<Line> lines() throws IOException {
    var lines = new ArrayList<Line>();
    var found = new LinkedHashSet<>(BODIES);
    var open = new ArrayDeque<>(BODIES);
    while (!open.isEmpty()) {
      String table = open.remove();
      String source = Files.readString(DECODERS.resolve(table + ".java"));
      boolean isBody = BODIES.contains(table);
      int body = source.indexOf("Draft>table()"); // the tables above it are of nested members
      assertThat(body >= 0).as(table).isEqualTo(isBody);
      var referring = new StringBuilder(isBody ? "" : source);
      for (MatchResult line : LINE.matcher(source).results().toList()) {
        String name = line.group(1);
        String rule = withConstants(line.group(2), source);
        boolean inBody = isBody && line.start() > body;
        lines.add(new Line(table.substring(table.indexOf('/') + 1), name, rule, inBody));
        boolean isEdited =
            !inBody
                || name.equals("tools") // edited item by item
                || isOffered(
                    Json.object().put(name, Json.object().put("any", "text").build()).build());
        if (isBody && isEdited && !CONVERSATION.contains(name)) {
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

  /** Returns the paths of the decoder classes that the source refers to. */
  private static List<String> classes(CharSequence source, String from) {
    String folder = from.substring(0, from.indexOf('/') + 1);
    return OTHER_CLASS
        .matcher(source)
        .results()
        .flatMap(match -> Stream.of(folder + match.group(1), match.group(1)))
        .filter(path -> Files.exists(DECODERS.resolve(path + ".java")))
        .toList();
  }

  /** Returns the rule, followed by the definitions of the constants in it. */
  private static String withConstants(String rule, String source) {
    var all = new StringBuilder(rule);
    for (MatchResult constant : CONSTANT.matcher(rule).results().toList()) {
      Pattern.compile("\\bRule<[^=;]*\\b" + constant.group() + "\\s*=\\s*([^;]*);")
          .matcher(source)
          .results()
          .map(definition -> definition.group(1))
          .filter(
              definition -> Stream.of("members()", "table()", "->").noneMatch(definition::contains))
          .forEach(definition -> all.append(' ').append(definition));
    }
    return all.toString();
  }

  /** Returns whether a value of the member, in its place, is offered to the editor. */
  private static boolean isOffered(Line line, String text) {
    Json value = line.rule().contains("items(") ? list(Json.of(text)) : Json.of(text);
    Json.Obj own = Json.object().put(line.name(), value).build();
    return isOffered(line.inBody() ? own : Json.object().put("parent", own).build());
  }

  private static boolean isOffered(Json.Obj members) {
    var isOffered = new AtomicBoolean();
    InferenceRequest.builder(Dialect.CHAT, members)
        .build()
        .editTexts(
            (text, kind) -> {
              isOffered.set(true);
              return text;
            });
    return isOffered.get();
  }

  private static Json list(Json value) {
    return Json.array(List.of(value));
  }

  @Test
  @DisplayName("is compared with all tables of the bodies, also those of the gateway's tools")
  void tables() throws IOException {
    assertThat(lines())
        .extracting(Line::table)
        .contains("ServerToolRules", "SharedMembers")
        .doesNotContain("ChatPartRules", "ChatMessageRules", "ContentBlockRules", "InputItems");
  }

  @Test
  @DisplayName("is not offered a word that the table allows")
  void words() throws IOException {
    var offered = new TreeSet<String>();
    int words = 0;
    for (Line line : lines()) {
      for (String word : line.words()) {
        words++;
        if (isOffered(line, word)) {
          offered.add(line + " " + word);
        }
      }
    }
    assertThat(words).isGreaterThan(100);
    assertThat(offered).isEmpty();
  }

  @Test
  @DisplayName("is offered every text except names, ids and members that only the gateway reads")
  void texts() throws IOException {
    var notOffered = new TreeSet<String>();
    for (Line line : lines()) {
      if (line.isText() && line.words().isEmpty() && !isOffered(line, "SECRET")) {
        notOffered.add(line.toString());
      }
    }
    assertThat(notOffered).containsExactlyInAnyOrderElementsOf(NOT_EDITED);
  }

  @Test
  @DisplayName("is offered a text in place of a word that the table allows")
  void others() throws IOException {
    var notOffered = new TreeSet<String>();
    for (Line line : lines()) {
      if (!line.words().isEmpty() && !isOffered(line, "SECRET") && !line.isIdentity()) {
        notOffered.add(line.toString());
      }
    }
    assertThat(notOffered).isEmpty();
  }
}
