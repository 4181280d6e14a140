package io.strowger.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.UnsupportedFeatures;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("Members that several bodies share:")
class SharedRulesProperties {
  private static final PluginChecks N_MUST_BE_ONE =
      (entry, at, problems) -> {
        Json n = entry.config().get("n");
        if (n != null && !n.equals(Json.of(1))) {
          problems.add(at.child("n"), "must be 1", n);
        }
      };

  @Provide
  Arbitrary<Json.Obj> providers() {
    return ProviderObjects.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(ProviderObjects.mutations());
  }

  @Property
  @Label("valid provider preferences are read, and are unchanged after a routing query")
  void accepted(@ForAll("providers") Json.Obj provider) {
    var problems = new Problems();
    ProviderPreferences read =
        problems.requireValid(
            ProviderObject.RULE.read(TestJson.parse(provider), new DecodingContext(problems)));
    RoutingQuery query = RoutingQuery.builder("v").preferences(read).build();
    assertThat(RoutingQuery.fromJson(query.toJson()).preferences()).isEqualTo(read);
  }

  @Property(tries = 500)
  @Label("provider preferences that break one rule have one problem, with its pointer")
  void refused(@ForAll("providers") Json.Obj provider, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    ProviderObject.RULE.read(TestJson.parse(mutation.of(provider)), new DecodingContext(problems));
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
  }

  @Property
  @Label("provider preferences have no member with both a wrong value and an unsupported feature")
  void unbuilt(@ForAll("providers") Json.Obj provider, @ForAll("mutations") Mutation mutation) {
    Json.Obj body = TestJson.parse(Json.object().put("provider", mutation.of(provider)).build());
    var problems = new Problems();
    var context = new DecodingContext(problems);
    context.enter("provider");
    ProviderObject.RULE.read(mutation.of(provider), context);
    UnsupportedFeatures.check(body, (entry, at, found) -> {}, problems);
    assertThat(problems.list())
        .extracting(problem -> problem.pointer().toString().split("/", -1)[2])
        .doesNotHaveDuplicates();
  }

  /**
   * An item of a list of plugin entries, with the pointer of its problem relative to the item:
   * empty if it is valid, blank if the item itself is wrong.
   */
  private enum Item {
    VALID("{'id':'%s','n':1}", ""),
    DISABLED("{'id':'%s','enabled':false}", ""),
    WRONG("{'id':'%s','n':2}", "/n"),
    WRONG_AND_DISABLED("{'id':'%s','n':null,'enabled':false}", "/n"),
    WRONG_ENABLED("{'id':'%s','enabled':1}", "/enabled"),
    WITHOUT_ID("{'n':2}", "/id"),
    EMPTY_ID("{'id':''}", "/id"),
    NUMBER("7", " ");

    private final String json;
    private final String pointer;

    Item(String json, String pointer) {
      this.json = json;
      this.pointer = pointer;
    }
  }

  @Property
  @Label("plugin entries are checked independently of each other")
  void entries(@ForAll List<Item> items) {
    var entries = new ArrayList<Json>();
    var expected = new ArrayList<String>();
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      entries.add(TestJson.of(item.json.formatted("p" + i)));
      if (!item.pointer.isEmpty()) {
        expected.add("/" + i + item.pointer.strip());
      }
    }
    var problems = new Problems(1000);
    var read =
        PluginEntries.RULE.read(Json.array(entries), new DecodingContext(problems, N_MUST_BE_ONE));
    assertThat(problems.list()).extracting(p -> p.pointer().toString()).isEqualTo(expected);
    assertThat(read).hasSize((int) items.stream().filter(i -> i.json.contains("%s")).count());
  }
}
