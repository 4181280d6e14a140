package io.strowger.conformance.fuzz;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A seed with a few things changed, as the fuzzer's bytes decide. So a change deep inside of a
 * valid document is a few bytes away instead of thousands.
 */
final class Mutant {
  private static final int MAX_CHANGES = 6;
  private static final int MAX_COPIES = 300;

  private static final List<Json> ODD =
      List.of(
          Json.NULL,
          Json.TRUE,
          Json.FALSE,
          Json.of(0),
          Json.of(-1),
          Json.of(1),
          Json.of(Long.MAX_VALUE),
          Json.of(new BigDecimal("0.5")),
          Json.of(new BigDecimal("2.0000000000000000000000000001")),
          Json.of(""),
          Json.of(" "),
          Json.of("\u0000"),
          Json.of("\uD800"),
          Json.of("~1/~0"),
          Json.of("x".repeat(65)),
          Json.of("\uD83D\uDE00".repeat(257)),
          Json.of("x".repeat(1025)),
          Json.array(),
          Json.array(Json.NULL),
          Json.array(Json.array()),
          Json.Obj.EMPTY,
          Json.object().put("", "").build(),
          Json.object().put("type", "other").build());

  private final Seeds seeds;
  private final Choices choices;

  private Mutant(Seeds seeds, Choices choices) {
    this.seeds = seeds;
    this.choices = choices;
  }

  static Json.Obj of(Seeds seeds, byte[] input) {
    return new Mutant(seeds, new Choices(input)).make();
  }

  private Json.Obj make() {
    Json.Obj document = pick(List.copyOf(seeds.documents().values()));
    int changes = choices.of(MAX_CHANGES);
    for (int i = 0; i <= changes && !choices.isEmpty(); i++) {
      document = inside(document);
    }
    return document;
  }

  private <T> T pick(List<T> from) {
    return from.get(choices.of(from.size()));
  }

  /** A change in this value or anywhere below it. */
  private Json changed(String name, Json json) {
    boolean deeper = choices.of(4) > 0;
    if (deeper && json instanceof Json.Obj object && object.size() > 0) {
      return inside(object);
    }
    if (deeper && json instanceof Json.Arr items && !items.isEmpty()) {
      return inside(items);
    }
    return other(name, json);
  }

  private Json.Obj inside(Json.Obj object) {
    int kind = object.size() == 0 ? 0 : choices.of(8);
    if (kind == 0) {
      String name = pick(seeds.names());
      return object.with(name, other(name, Json.NULL));
    }
    int at = choices.of(object.size());
    String name = object.name(at);
    if (kind == 1) {
      return object.without(name);
    }
    return object.with(name, changed(name, object.value(at)));
  }

  private Json.Arr inside(Json.Arr items) {
    int at = choices.of(items.size());
    int kind = choices.of(8);
    if (kind > 1) {
      return items.with(at, changed("", items.get(at)));
    }
    var more = new ArrayList<Json>(items);
    Json item = more.remove(at);
    for (int copies = kind == 0 ? 0 : choices.of(MAX_COPIES); copies > 0; copies--) {
      more.add(item);
    }
    return Json.array(more);
  }

  private Json other(String name, Json json) {
    return switch (choices.of(6)) {
      case 0 -> pick(ODD);
      case 1 -> Json.of(choices.text());
      case 2 -> number();
      case 3 -> Json.array(json, json);
      case 4 -> Json.object().put(pick(seeds.names()), json).build();
      default -> known(name);
    };
  }

  /** What a member of this name was elsewhere; one of any name when it has none. */
  private Json known(String name) {
    List<Json> here = seeds.valuesOf(name);
    return pick(here.isEmpty() ? seeds.valuesOf(pick(seeds.names())) : here);
  }

  private Json number() {
    return switch (choices.of(4)) {
      case 0 -> Json.of(choices.of(256));
      case 1 -> Json.of(choices.of(65_536) - 32_768L);
      case 2 -> Json.of(BigDecimal.valueOf(choices.of(65_536), choices.of(16)));
      default -> Json.of((long) choices.of(65_536) << choices.of(48));
    };
  }
}
