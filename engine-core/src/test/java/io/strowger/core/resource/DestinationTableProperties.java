package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.pointers;
import static io.strowger.core.resource.ResourceWords.problems;
import static io.strowger.core.resource.ResourceWords.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.resource.DestinationTable.Change;
import io.strowger.core.resource.ResourceWords.BrokenBody;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import org.jspecify.annotations.Nullable;

@Label("The body of a destination")
class DestinationTableProperties {
  private static BiFunction<Json.Obj, Problems, @Nullable Change> change(DestinationType type) {
    return (body, problems) -> DestinationTable.update(body, type, problems);
  }

  @Property
  @Label("keeps its meaning when it is written and read")
  void created(@ForAll("creates") DestinationCreate destination) {
    assertThat(decode(DestinationTable::create, sent(DestinationBodies.document(destination))))
        .isEqualTo(destination);
  }

  @Property
  @Label("that changes a destination keeps its meaning when it is written and read")
  void updated(@ForAll("updates") Tuple2<DestinationType, Change> given) {
    Json.Obj body = sent(DestinationBodies.document(given.get2()));
    assertThat(decode(change(given.get1()), body)).isEqualTo(given.get2());
  }

  @Property(tries = 50)
  @Label("that breaks one rule has exactly one problem, at that place")
  void brokenCreate(@ForAll("creates") DestinationCreate destination) {
    Json.Obj body = DestinationBodies.document(destination);
    assertEachHasOneProblem(
        DestinationTable::create, DestinationBodies.broken(body, destination.type()));
    assertEachHasOneProblem(
        DestinationTable::create, DestinationBodies.incomplete(body, destination.type()));
  }

  @Property(tries = 50)
  @Label("that changes a destination and breaks one rule has exactly one problem, at that place")
  void brokenUpdate(@ForAll("updates") Tuple2<DestinationType, Change> given) {
    Json.Obj body = DestinationBodies.document(given.get2());
    assertEachHasOneProblem(change(given.get1()), DestinationBodies.broken(body, given.get1()));
  }

  private static void assertEachHasOneProblem(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, List<BrokenBody> all) {
    for (BrokenBody broken : all) {
      assertThat(pointers(decoder, sent(broken.body())))
          .as("%s", broken.body())
          .containsExactly(broken.pointer());
    }
  }

  @Property
  @Label("that sends masked secrets back changes none of them")
  void masked(@ForAll("creates") DestinationCreate destination) {
    DestinationType type = destination.type();
    Json.Obj shown = type.mask(destination.config());
    Change update = decode(change(type), Json.object().put("config", shown).build());
    Json.Obj after = Json.object().putAll(destination.config()).putAll(update.config()).build();
    Json headers = destination.config().get("headers");
    assertThat(headers == null ? after : after.with("headers", headers))
        .isEqualTo(destination.config());
  }

  @Property
  @Label("shows nothing of its config in toString() or in problems")
  void secret(@ForAll("creates") DestinationCreate destination) {
    DestinationCreate read =
        decode(DestinationTable::create, DestinationBodies.document(destination));
    assertThat(read.toString()).doesNotContain("example").doesNotContain("text ");
    Json.Obj spoiled = DestinationBodies.document(destination).with("type", Json.of("x"));
    assertThat(problems(DestinationTable::create, spoiled).toString())
        .doesNotContain("example")
        .doesNotContain("text ");
  }

  @Provide
  Arbitrary<DestinationCreate> creates() {
    return DestinationBodies.creates();
  }

  @Provide
  Arbitrary<Tuple2<DestinationType, Change>> updates() {
    return Arbitraries.of(DestinationType.ALL)
        .flatMap(type -> DestinationBodies.updates(type).map(update -> Tuple.of(type, update)));
  }
}
