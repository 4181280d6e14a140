package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.TestLogs.CATALOG;
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

@DisplayName("A malicious decision log")
class HostileLogTest {
  private static final List<Json> UNEXPECTED =
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
    /** Returns a log whose frames are intact and have the hash of their catalog. */
    byte[] log() {
      Json content = ((Json.Obj) catalog).get("catalog");
      byte[] hash = LogEncoder.hash((content == null ? Json.NULL : content).toBytes());
      String text = ((Json.Obj) catalog).text("dictionary");
      byte[] dictionary = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
      var out = new ByteArrayOutputStream();
      out.writeBytes(LogFrame.header());
      try (var compressor = new ContentCompressor()) {
        add(out, LogFrame.Kind.CATALOG, hash, compressor.compress(catalog.toBytes()));
        add(
            out,
            LogFrame.Kind.STATISTICS,
            hash,
            compressor.compress(statistics.toBytes(), dictionary));
        add(out, LogFrame.Kind.DECISION, hash, compressor.compress(decision.toBytes(), dictionary));
      }
      return out.toByteArray();
    }

    private static void add(
        ByteArrayOutputStream out, LogFrame.Kind kind, byte[] hash, byte[] compressed) {
      byte[] content = Arrays.copyOf(hash, hash.length + compressed.length);
      System.arraycopy(compressed, 0, content, hash.length, compressed.length);
      out.writeBytes(LogFrame.of(kind, content));
    }
  }

  private static Documents documents() throws Exception {
    RoutingQuery query =
        TestLogs.query(CATALOG, 3).toBuilder()
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
        TestLogs.decide(
            CATALOG,
            TestLogs.withOpenBreaker(1, CATALOG, 0),
            query.toBuilder().routers(List.of()).build());
    byte[] log = TestLogs.log(List.of(decision));
    var frames = new FrameReader(new ByteArrayInputStream(log));
    var documents = new ArrayList<Json>();
    byte[] dictionary = {};
    FrameReader.Part part;
    while ((part = frames.next()) != null) {
      byte[] content = ((FrameReader.Part.Frame) part).content();
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
    Json.Obj decisionDocument = (Json.Obj) documents.get(2);
    return new Documents(
        documents.get(0), documents.get(1), with(decisionDocument, "query", query.toJson()));
  }

  private static Json.Obj with(Json.Obj object, String name, Json value) {
    Json.Obj.Builder changed = Json.object();
    for (int i = 0; i < object.size(); i++) {
      changed.put(object.name(i), object.name(i).equals(name) ? value : object.value(i));
    }
    return changed.build();
  }

  /** Returns variants of the document. In each, one value is replaced by an unexpected one. */
  private static List<Json> variants(Json document) {
    var variants = new ArrayList<Json>();
    change(document, changed -> changed, variants);
    return variants;
  }

  private static void change(Json value, UnaryOperator<Json> embed, List<Json> variants) {
    UNEXPECTED.forEach(replacement -> variants.add(embed.apply(replacement)));
    if (value instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        change(object.value(i), changed -> embed.apply(with(object, name, changed)), variants);
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
              return embed.apply(Json.array(all));
            },
            variants);
      }
    }
  }

  private static void assertReadToEnd(Documents documents) throws IOException {
    byte[] log = documents.log();
    DecisionReplay.Result result = TestLogs.replay(log, ReplayRouters.NONE).result();
    assertThat(result.records().bytes()).isEqualTo(log.length);
  }

  @Tag("full")
  @Test
  @DisplayName("is read to its end with any content of its records")
  void values() throws Exception {
    Documents intact = documents();
    assertThat(TestLogs.items(intact.log())).hasSize(3).noneMatch(LogItem.Damage.class::isInstance);
    for (Json variant : variants(intact.decision())) {
      assertReadToEnd(new Documents(intact.catalog(), intact.statistics(), variant));
    }
    for (Json variant : variants(intact.statistics())) {
      assertReadToEnd(new Documents(intact.catalog(), variant, intact.decision()));
    }
    for (Json variant : variants(intact.catalog())) {
      if (variant instanceof Json.Obj) {
        assertReadToEnd(new Documents(variant, intact.statistics(), intact.decision()));
      }
    }
  }

  /** Returns the value with each member of this name replaced. */
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
  @DisplayName("is damaged where a whole number is out of range, and the damage names the member")
  void outOfRange() throws Exception {
    Documents intact = documents();
    Json large = Json.of(1L << 32);
    Json catalog = withEach(intact.catalog(), "context_length", large);
    assertThat(TestLogs.items(new Documents(catalog, intact.statistics(), intact.decision()).log()))
        .first()
        .isEqualTo(
            new LogItem.Damage(
                LogFrame.header().length,
                "the record of a catalog has a member context_length of an unexpected form"));
    Json.Obj step = Json.object().put("endpoint", "acme/large@beta").put("model", large).build();
    Json decision = withEach(intact.decision(), "candidates", Json.array(step));
    assertThat(TestLogs.items(new Documents(intact.catalog(), intact.statistics(), decision).log()))
        .last()
        .isInstanceOfSatisfying(
            LogItem.Damage.class,
            damage ->
                assertThat(damage.description())
                    .isEqualTo(
                        "the record of a decision has a member model of an unexpected form"));
  }

  @Test
  @Timeout(60)
  @DisplayName("is read in linear time if every few bytes claim to start a large record")
  void claims() throws IOException {
    byte[] claim = {LogFrame.MARK, LogFrame.SECOND_MARK, 'C', 0, 0x1f, 0, 0}; // two megabytes
    ByteBuffer claims = ByteBuffer.allocate(4 << 20).put(LogFrame.header());
    while (claims.remaining() >= claim.length) {
      claims.put(claim);
    }
    assertThat(TestLogs.items(claims.array()))
        .singleElement()
        .isInstanceOfSatisfying(
            LogItem.Damage.class,
            damage -> assertThat(damage.description()).contains("are damaged"));
  }
}
