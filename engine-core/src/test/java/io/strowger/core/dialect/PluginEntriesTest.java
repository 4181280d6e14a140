package io.strowger.core.dialect;

import static io.strowger.core.decode.TestRules.problemTexts;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The plugins of a request")
class PluginEntriesTest {
  /** Accepts the plugins a and b, whose member n must be 1 if present. */
  private static void checkEntry(PluginEntry entry, JsonPointer at, Problems problems) {
    if (!List.of("a", "b").contains(entry.id())) {
      problems.add(at.child("id"), "must be one of a, b", Json.of(entry.id()));
    }
    Json n = entry.config().get("n");
    if (n != null && !n.equals(Json.of(1))) {
      problems.add(at.child("n"), "must be 1", n);
    }
  }

  private static List<String> problems(String entries) {
    var problems = new Problems();
    var context = new DecodingContext(problems, PluginEntriesTest::checkEntry);
    context.enter("plugins");
    PluginEntries.RULE.read(value(entries), context);
    return problemTexts(problems);
  }

  @Proves({"chat.plugins", "plugin.enabled"})
  @Test
  @DisplayName("are read in order, with all their members")
  void read() {
    String entries = "[{'id':'b','n':1,'later':null},{'id':'a','enabled':false}]";
    var context = new DecodingContext(new Problems(), PluginEntriesTest::checkEntry);
    Json.Arr items = (Json.Arr) value(entries);
    assertThat(PluginEntries.RULE.read(items, context))
        .containsExactly(
            new PluginEntry("b", true, (Json.Obj) items.get(0)),
            new PluginEntry("a", false, (Json.Obj) items.get(1)));
    assertThat(PluginEntries.RULE.read(value("[]"), context)).isEmpty();
    assertThat(context.problemCount()).isZero();
  }

  @Proves({"chat.plugins", "plugins.common.id"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "null | /plugins: must be an array, was null",
        "{} | /plugins: must be an array, was an object",
        "[1] | /plugins/0: must be an object, was 1",
        "[{}] | /plugins/0/id: is required",
        "[{'id':''}] | /plugins/0/id: must be a string, not empty, was \"\"",
        "[{'id':null}] | /plugins/0/id: must be a string, not empty, was null",
        "[{'id':'c'}] | /plugins/0/id: must be one of a, b, was \"c\"",
        "[{'id':'a','enabled':1}] | /plugins/0/enabled: must be true or false, was 1",
        "[{'id':'a','enabled':null}] | /plugins/0/enabled: must be true or false, was null",
        "[{'id':'a','enabled':false,'n':2}] | /plugins/0/n: must be 1, was 2",
        "[{'id':'a'},{'id':'a'}] | /plugins/1/id: must not be named twice, was \"a\"",
      })
  @DisplayName("may not be")
  void refused(String entries, String problem) {
    assertThat(problems(entries)).containsExactly(problem);
  }

  @Test
  @DisplayName("are each checked against their schema, even if other entries are wrong")
  void besideBroken() {
    assertThat(problems("[{'id':'a','n':2},1,{'n':3},{'id':'b','enabled':'x','n':4},{'id':'a'}]"))
        .containsExactly(
            "/plugins/0/n: must be 1, was 2",
            "/plugins/1: must be an object, was 1",
            "/plugins/2/id: is required",
            "/plugins/3/enabled: must be true or false, was \"x\"",
            "/plugins/3/n: must be 1, was 4",
            "/plugins/4/id: must not be named twice, was \"a\"");
  }
}
