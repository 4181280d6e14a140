package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The content of a call")
class ContentLimitingExporterTest {
  private static final int MAX_BYTES = ContentLimitingExporter.MAX_BYTES;
  private static final String MARKER = ContentLimitingExporter.MARKER;

  /** An exporter that records the calls it is given. */
  private static final class RecordingExporter implements DestinationExporter {
    private final List<CallTrace> exportedCalls = new ArrayList<>();

    @Override
    public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
      exportedCalls.addAll(calls);
      return List.of();
    }

    @Override
    public ConnectionTest test(Instant now) {
      throw new AssertionError();
    }
  }

  private static Json.Obj message(String content) {
    return Json.object().put("role", "user").put("content", content).build();
  }

  private static CallTrace call(Json.Arr input, Json.Arr output) {
    CallTrace complete = ExportFixtures.completeCall();
    CallTrace.Details details = complete.details();
    return complete.with(
        complete.cost(),
        new CallTrace.Details(
            details.identity(), details.context(), new CallTrace.Content(input, output)));
  }

  private static CallTrace exported(CallTrace call) {
    var exporter = new RecordingExporter();
    new ContentLimitingExporter(exporter).export(List.of(call), ExportFixtures.NOW);
    return exporter.exportedCalls.getFirst();
  }

  private static CallTrace.Content content(CallTrace call) {
    return Objects.requireNonNull(call.details().content());
  }

  @Test
  @DisplayName("within the limit is passed on as the same object")
  void small() {
    CallTrace small = call(Json.array(message("x".repeat(MAX_BYTES - 100))), Json.array());
    assertThat(exported(small)).isSameAs(small);
    assertThat(exported(ExportFixtures.minimalCall()).details().content()).isNull();
  }

  @Test
  @DisplayName("beyond the limit is truncated within a text, which ends in a marker")
  void large() {
    Json.Obj choice =
        Json.object().put("index", 0).put("message", message("é".repeat(MAX_BYTES))).build();
    CallTrace truncated =
        exported(
            call(
                Json.array(message("first"), message("x".repeat(2 * MAX_BYTES)), message("third")),
                Json.array(choice)));
    Json.Arr input = content(truncated).input();
    assertThat(input).hasSize(2);
    assertThat(input.get(0)).isEqualTo(message("first"));
    Json.Obj second = (Json.Obj) input.get(1);
    assertThat(second.text("role")).isEqualTo("user");
    assertThat(second.text("content")).startsWith("xxx").endsWith("x" + MARKER);
    assertThat(input.toBytes()).hasSizeBetween(MAX_BYTES - 200, MAX_BYTES + 200);
    Json.Obj message = ((Json.Obj) content(truncated).output().get(0)).object("message");
    assertThat(Objects.requireNonNull(message).text("content")).endsWith("é" + MARKER);
    assertThat(content(truncated).output().toBytes())
        .hasSizeBetween(MAX_BYTES - 200, MAX_BYTES + 200);
    assertThat(truncated.cost()).isEqualTo(ExportFixtures.completeCall().cost());
  }

  @Test
  @DisplayName("of very many messages also ends in the marker, and keeps each role")
  void many() {
    var messages = new ArrayList<Json>();
    for (int i = 0; i < 200_000; i++) {
      messages.add(message("message " + i));
    }
    Json.Arr input = content(exported(call(Json.array(messages), Json.array()))).input();
    assertThat(input.size()).isLessThan(200_000);
    assertThat(input).allMatch(message -> "user".equals(((Json.Obj) message).text("role")));
    assertThat(((Json.Obj) input.getLast()).text("content")).endsWith(MARKER);
    assertThat(input.toBytes()).hasSizeLessThan(MAX_BYTES + 500);
  }

  @Test
  @DisplayName("is limited for every destination type, also if that writes it twice")
  void everyType() {
    CallTrace large = call(Json.array(message("x".repeat(4 * MAX_BYTES))), Json.array());
    byte[] body =
        ExportFixtures.exporter("arize", "{'apiKey':'k','spaceKey':'s','modelId':'m'}")
            .export(List.of(large), ExportFixtures.NOW)
            .getFirst()
            .body();
    assertThat(body).hasSizeBetween(2 * MAX_BYTES, 2 * MAX_BYTES + 10_000);
    assertThat(new String(body, StandardCharsets.UTF_8)).contains(MARKER);
  }
}
