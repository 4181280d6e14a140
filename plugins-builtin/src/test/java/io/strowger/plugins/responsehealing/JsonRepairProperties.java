package io.strowger.plugins.responsehealing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.plugins.responsehealing.JsonRepair.ExpectedType;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

@Label("Repairing JSON")
class JsonRepairProperties {
  private static final JacksonCodec CODEC = new JacksonCodec();
  private static final String CHARACTERS = "{}[]\",:'\\ \n`/*#ab1-.tn\u201c";

  @Provide
  Arbitrary<String> anything() {
    return Arbitraries.strings().withChars(CHARACTERS.toCharArray()).ofMaxLength(40);
  }

  @Provide
  Arbitrary<Json.Obj> objects() {
    return Combinators.combine(texts(), values(3))
        .as((name, value) -> object(List.of(name), value));
  }

  private static Json.Obj object(List<String> names, Json value) {
    var object = Json.object();
    names.forEach(name -> object.put(name, value));
    return object.put("last", true).build();
  }

  private Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("abc{}[]:,'/# \u00e9\n".toCharArray()).ofMaxLength(8);
  }

  private Arbitrary<Json> values(int depth) {
    Arbitrary<Json> scalars =
        Arbitraries.oneOf(
            texts().map(Json::of),
            Arbitraries.integers().map(i -> Json.of((long) i)),
            Arbitraries.of(Json.TRUE, Json.FALSE, Json.NULL));
    if (depth == 0) {
      return scalars;
    }
    Arbitrary<Json> inner = values(depth - 1);
    return Arbitraries.frequencyOf(
        Tuple.of(2, scalars),
        Tuple.of(1, inner.list().ofMaxSize(3).map(Json::array)),
        Tuple.of(1, Combinators.combine(texts(), inner).as((n, v) -> object(List.of(n), v))));
  }

  private static String written(Json json) {
    var out = new JsonOutput(64);
    json.writeTo(out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Json read(String text) throws MalformedJsonException {
    return CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 5_000)
  @Label("of any text gives JSON or null, and never throws")
  void anything(@ForAll("anything") String text) {
    for (ExpectedType expected : ExpectedType.values()) {
      String repaired = JsonRepair.repairInvalid(text, expected);
      assertThat(repaired == null || JsonSyntax.isValid(repaired)).isTrue();
    }
  }

  @Property
  @Label("accepts as valid exactly what the parser accepts")
  void syntax(@ForAll("objects") Json.Obj object, @ForAll int at) {
    String text = written(object);
    assertThat(JsonSyntax.isValid(text)).isTrue();
    int cut = Math.floorMod(at, text.length());
    String broken = text.substring(0, cut) + text.substring(cut + 1);
    boolean parsed = true;
    try {
      read(broken);
    } catch (MalformedJsonException e) {
      if (String.valueOf(e.getMessage()).contains("twice")) {
        return; // a duplicate name; the parser did not check the rest
      }
      parsed = false;
    }
    assertThat(JsonSyntax.isValid(broken)).as(broken).isEqualTo(parsed);
  }

  @Property
  @Label("of JSON that is cut off, or loses or gains a character, gives JSON or null")
  void mutations(@ForAll("objects") Json.Obj object, @ForAll int at, @ForAll char put) {
    String text = written(object);
    int cut = Math.floorMod(at, text.length());
    for (String broken :
        List.of(
            text.substring(0, cut),
            text.substring(0, cut) + text.substring(cut + 1),
            text.substring(0, cut) + put + text.substring(cut))) {
      String repaired = JsonRepair.repairInvalid(broken, ExpectedType.OBJECT);
      assertThat(repaired == null || JsonSyntax.isValid(repaired)).as(broken).isTrue();
    }
  }

  @Property
  @Label("restores the value when final brackets are missing, or fences or words are around it")
  void same(@ForAll("objects") Json.Obj object) throws MalformedJsonException {
    String text = written(object);
    String open = text.replaceAll("[}\\]]+$", "");
    for (String broken :
        List.of(
            open,
            open + ",",
            "```json\n" + text + "\n```",
            "```\n" + open + "\n```",
            "Here you are: " + text,
            text + "\nThat is all.",
            text.substring(0, text.length() - 1) + ",}")) {
      String repaired = JsonRepair.repairInvalid(broken, ExpectedType.OBJECT);
      assertThat(repaired).as(broken).isNotNull();
      assertThat(read(Objects.requireNonNull(repaired))).as(broken).isEqualTo(object);
    }
  }

  @Property
  @Label("restores the value when all commas are missing, or there are too many")
  void commas(@ForAll("objects") Json.Obj object) throws MalformedJsonException {
    for (String replacement : List.of(" ", "\n", " ,\n,", ",")) {
      String broken = commas(written(object), replacement);
      String repaired =
          JsonSyntax.isValid(broken)
              ? broken
              : JsonRepair.repairInvalid(broken, ExpectedType.OBJECT);
      assertThat(repaired).as(broken).isNotNull();
      assertThat(read(Objects.requireNonNull(repaired))).as(broken).isEqualTo(object);
    }
  }

  /** Replaces the commas that are not part of a string. */
  private static String commas(String json, String replacement) {
    var out = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"' && (i == 0 || json.charAt(i - 1) != '\\')) {
        quoted = !quoted;
      }
      out.append(c == ',' && !quoted ? replacement : String.valueOf(c));
    }
    return out.toString();
  }

  @Property(tries = 25)
  @Label("takes time linear in the length of the text, whatever is repeated in it")
  void linear(@ForAll("pieces") String piece, @ForAll @IntRange(max = 2) int mode) {
    ExpectedType expected = ExpectedType.values()[mode];
    String start = mode == 0 ? "" : mode == 1 ? "{\"a\":\"" : "[1,";
    JsonRepair.repairInvalid(start + piece.repeat(2_000), expected); // warm
    long small = minCpuNanos(start + piece.repeat(10_000), expected);
    long large = minCpuNanos(start + piece.repeat(80_000), expected);
    // eight times the text: sixty-four times the time if it were quadratic
    assertThat(large).as(piece).isLessThan(Math.max(small, 1_000_000) * 32);
  }

  @Provide
  Arbitrary<String> pieces() {
    return Arbitraries.strings().withChars(CHARACTERS.toCharArray()).ofMinLength(1).ofMaxLength(6);
  }

  private static long minCpuNanos(String text, ExpectedType expected) {
    long best = Long.MAX_VALUE;
    var threads =
        ManagementFactory.getThreadMXBean(); // not the clock, since other threads may be busy
    for (int i = 0; i < 3; i++) {
      long start = threads.getCurrentThreadCpuTime();
      JsonRepair.repairInvalid(text, expected);
      best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
    }
    return best;
  }
}
