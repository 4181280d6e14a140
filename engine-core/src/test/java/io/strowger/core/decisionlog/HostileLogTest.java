package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.LogWords.CATALOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A decision log somebody made to do harm")
class HostileLogTest {
  private static final List<Json> ODD =
      List.of(
          Json.NULL,
          Json.of(true),
          Json.of(-1),
          Json.of(Long.MAX_VALUE),
          Json.of(new BigDecimal("1e300")),
          Json.of(new BigDecimal("1e-300")),
          Json.of(""),
          Json.of("x"),
          Json.array(),
          Json.array(Json.of(7)),
          Json.Obj.EMPTY);

  /** The documents of one decision. */
  private record Documents(Json catalog, Json statistics, Json decision) {
    /** Made with care: the frames are sound and name the catalog they are about. */
    byte[] log() {
      Json given = ((Json.Obj) catalog).get("catalog");
      byte[] hash = LogEncoder.hash((given == null ? Json.NULL : given).toBytes());
      String text = ((Json.Obj) catalog).text("dictionary");
      byte[] dictionary = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
      var out = new ByteArrayOutputStream();
      out.writeBytes(LogFrame.header());
      try (var packing = new ContentCompressor()) {
        add(out, LogFrame.Kind.CATALOG, hash, packing.compress(catalog.toBytes()));
        add(
            out,
            LogFrame.Kind.STATISTICS,
            hash,
            packing.compress(statistics.toBytes(), dictionary));
        add(out, LogFrame.Kind.DECISION, hash, packing.compress(decision.toBytes(), dictionary));
      }
      return out.toByteArray();
    }

    private static void add(
        ByteArrayOutputStream out, LogFrame.Kind kind, byte[] hash, byte[] packed) {
      byte[] content = Arrays.copyOf(hash, hash.length + packed.length);
      System.arraycopy(packed, 0, content, hash.length, packed.length);
      out.writeBytes(LogFrame.of(kind, content));
    }
  }

  private static Documents documents() throws Exception {
    RoutingQuery query =
        LogWords.ask(CATALOG, 3).toBuilder()
            .statisticsSequence(1)
            .stickyEndpoints(List.of("acme/large@beta"))
            .routers(
                List.of(
                    new RouterStep(
                        "house",
                        "1",
                        RouterStep.EVERY_REQUEST,
                        Json.object().put("depth", 1).build(),
                        Json.of("fact"))))
            .build();
    LoggedDecision decision =
        LogWords.made(
            CATALOG, LogWords.broken(1, CATALOG, 0), query.toBuilder().routers(List.of()).build());
    byte[] log = LogWords.log(List.of(decision));
    var frames = new FrameReader(new ByteArrayInputStream(log));
    var documents = new ArrayList<Json>();
    byte[] dictionary = {};
    FrameReader.Part found;
    while ((found = frames.next()) != null) {
      byte[] content = ((FrameReader.Part.Frame) found).content();
      Json.Obj read =
          (Json.Obj)
              new JacksonCodec()
                  .parse(
                      ContentCompressor.decompress(
                          content, CatalogLogStates.HASH_BYTES, dictionary));
      if (documents.isEmpty()) {
        dictionary =
            Objects.requireNonNull(read.text("dictionary")).getBytes(StandardCharsets.UTF_8);
      }
      documents.add(read);
    }
    Json.Obj made = (Json.Obj) documents.get(2);
    return new Documents(documents.get(0), documents.get(1), with(made, "query", query.toJson()));
  }

  private static Json.Obj with(Json.Obj object, String name, Json value) {
    Json.Obj.Builder changed = Json.object();
    for (int i = 0; i < object.size(); i++) {
      changed.put(object.name(i), object.name(i).equals(name) ? value : object.value(i));
    }
    return changed.build();
  }

  /** The document with each of its values in turn being something odd, or not there. */
  private static List<Json> variants(Json document) {
    var variants = new ArrayList<Json>();
    change(document, changed -> changed, variants);
    return variants;
  }

  private static void change(Json value, UnaryOperator<Json> into, List<Json> variants) {
    ODD.forEach(odd -> variants.add(into.apply(odd)));
    if (value instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        change(object.value(i), changed -> into.apply(with(object, name, changed)), variants);
      }
    } else if (value instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        int at = i;
        change(
            items.get(i),
            changed -> {
              var all = new ArrayList<Json>();
              items.forEach(all::add);
              all.set(at, changed);
              return into.apply(Json.array(all));
            },
            variants);
      }
    }
  }

  private static void bears(Documents documents) throws IOException {
    byte[] log = documents.log();
    DecisionReplay.Result result = LogWords.replay(log, ReplayRouters.NONE).result();
    assertThat(result.records().bytes()).isEqualTo(log.length);
  }

  @Tag("full")
  @Test
  @DisplayName("is read to its end, whatever its records say")
  void values() throws Exception {
    Documents sound = documents();
    assertThat(LogWords.items(sound.log())).hasSize(3).noneMatch(LogItem.Damage.class::isInstance);
    for (Json odd : variants(sound.decision())) {
      bears(new Documents(sound.catalog(), sound.statistics(), odd));
    }
    for (Json odd : variants(sound.statistics())) {
      bears(new Documents(sound.catalog(), odd, sound.decision()));
    }
    for (Json odd : variants(sound.catalog())) {
      if (odd instanceof Json.Obj) {
        bears(new Documents(odd, sound.statistics(), sound.decision()));
      }
    }
  }

  /** The value, with another value for each member of this name. */
  private static Json withEach(Json value, String name, Json other) {
    if (value instanceof Json.Obj object) {
      Json.Obj.Builder changed = Json.object();
      for (int i = 0; i < object.size(); i++) {
        boolean isNamed = object.name(i).equals(name);
        changed.put(object.name(i), isNamed ? other : withEach(object.value(i), name, other));
      }
      return changed.build();
    }
    if (value instanceof Json.Arr items) {
      var changed = new ArrayList<Json>();
      items.forEach(item -> changed.add(withEach(item, name, other)));
      return Json.array(changed);
    }
    return value;
  }

  @Test
  @DisplayName("has a damaged record where a whole number is out of range, and the member is named")
  void outOfRange() throws Exception {
    Documents sound = documents();
    Json large = Json.of(1L << 32);
    Json catalog = withEach(sound.catalog(), "context_length", large);
    assertThat(LogWords.items(new Documents(catalog, sound.statistics(), sound.decision()).log()))
        .first()
        .isEqualTo(
            new LogItem.Damage(
                LogFrame.header().length,
                "the record of a catalog has an unexpected form at context_length"));
    Json.Obj step = Json.object().put("endpoint", "acme/large@beta").put("model", large).build();
    Json decision = withEach(sound.decision(), "candidates", Json.array(step));
    assertThat(LogWords.items(new Documents(sound.catalog(), sound.statistics(), decision).log()))
        .last()
        .isInstanceOfSatisfying(
            LogItem.Damage.class,
            damage ->
                assertThat(damage.description())
                    .isEqualTo("the record of a decision has an unexpected form at model"));
  }

  @Test
  @Timeout(60)
  @DisplayName("is read in linear time where every few bytes claim to begin a large record")
  void claims() throws IOException {
    byte[] claim = {LogFrame.MARK, LogFrame.SECOND_MARK, 'C', 0, 0x1f, 0, 0}; // two megabytes
    ByteBuffer claims = ByteBuffer.allocate(4 << 20).put(LogFrame.header());
    while (claims.remaining() >= claim.length) {
      claims.put(claim);
    }
    assertThat(LogWords.items(claims.array()))
        .singleElement()
        .isInstanceOfSatisfying(
            LogItem.Damage.class,
            damage -> assertThat(damage.description()).contains("are damaged"));
  }
}
