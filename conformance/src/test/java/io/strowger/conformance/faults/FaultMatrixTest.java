package io.strowger.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests each fault of {@link Faults} in each dialect, streamed and not: the error that the caller
 * gets when there is no other endpoint, and the answer or error when there is one.
 */
@DisplayName("When an upstream fails")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultMatrixTest {
  private static final List<Cell> CELLS = Cell.all();

  private @Nullable FaultMatrixGateway withStoppedClock;
  private @Nullable FaultMatrixGateway withRealClock;

  @BeforeAll
  void open() throws IOException {
    withStoppedClock =
        new FaultMatrixGateway(CELLS.stream().filter(cell -> !usesRealClock(cell)).toList(), false);
    withRealClock =
        new FaultMatrixGateway(
            CELLS.stream().filter(FaultMatrixTest::usesRealClock).toList(), true);
  }

  @AfterAll
  void close() {
    Objects.requireNonNull(withStoppedClock).close();
    Objects.requireNonNull(withRealClock).close();
  }

  private static boolean usesRealClock(Cell cell) {
    return cell.fault().time() == FaultCase.Time.REAL;
  }

  private FaultMatrixGateway gateway(Cell cell) {
    return Objects.requireNonNull(usesRealClock(cell) ? withRealClock : withStoppedClock);
  }

  @Test
  @DisplayName("each fault is tested in every API of callers, streamed and not")
  void complete() {
    assertThat(CELLS).hasSizeGreaterThan(300);
    for (FaultCase fault : Faults.all()) {
      for (boolean streaming : new boolean[] {true, false}) {
        List<Cell> cells =
            CELLS.stream()
                .filter(c -> c.fault().toString().equals(fault.toString()))
                .filter(c -> c.streaming() == streaming)
                .toList();
        if (cells.stream().map(Cell::vendor).distinct().count() == Vendor.values().length) {
          assertThat(cells).extracting(Cell::api).contains(GatewayApi.values());
        }
      }
    }
  }

  static Stream<Cell> cells() {
    return CELLS.stream();
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("and there is no other endpoint, the caller gets the error")
  void noOther(Cell cell) throws IOException, InterruptedException {
    var request = new CheckedRequest(cell, OtherEndpoint.NONE);
    request.assertFails();
    request.assertRecordedAndBilled();
  }

  @Proves("routing.fallback.next-endpoint")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "and another endpoint is healthy, that one answers unless content was sent or the request is"
          + " wrong")
  void another(Cell cell) throws IOException, InterruptedException {
    var request = new CheckedRequest(cell, OtherEndpoint.HEALTHY);
    if (cell.triesOtherEndpoint()) {
      request.assertAnswered();
    } else {
      request.assertFails();
    }
    request.assertRecordedAndBilled();
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("and the other endpoint fails, too, the caller gets one error that names both")
  void faultyOther(Cell cell) throws IOException, InterruptedException {
    var request = new CheckedRequest(cell, OtherEndpoint.FAULTY);
    if (cell.triesOtherEndpoint()) {
      request.assertRefused();
      request.assertNamesBothProviders();
    } else {
      request.assertFails();
    }
    request.assertRecordedAndBilled();
  }

  /** The responses API reports a request that is too long as an incomplete answer. */
  private static boolean isReportedAsIncomplete(Cell cell) {
    return cell.api() == GatewayApi.RESPONSES
        && cell.fault().code(cell.vendor()) == ErrorCode.CONTEXT_LENGTH_EXCEEDED;
  }

  /** Sends one request, and checks its response, its record and its bill. */
  private final class CheckedRequest {
    private final Cell cell;
    private final GatewayApi api;
    private final ErrorCode code;
    private final int attempts;
    private final OtherEndpoint other;
    private final FaultMatrixGateway gateway;
    private final Usd settled;
    private final long healthyRequests;
    private final CallerResponse response;

    CheckedRequest(Cell cell, OtherEndpoint other) throws IOException, InterruptedException {
      this.cell = cell;
      this.api = cell.api();
      boolean bothFail = other == OtherEndpoint.FAULTY && cell.triesOtherEndpoint();
      this.code = bothFail ? ErrorCode.TEMPORARILY_UNAVAILABLE : cell.fault().code(cell.vendor());
      this.attempts = other != OtherEndpoint.NONE && cell.triesOtherEndpoint() ? 2 : 1;
      this.other = other;
      this.gateway = gateway(cell);
      Usd before = gateway.balance().settled().credits();
      long healthyBefore = gateway.healthyRequests();
      this.response = gateway.ask(cell, other);
      this.settled = gateway.balance().settled().credits().minus(before);
      this.healthyRequests = gateway.healthyRequests() - healthyBefore;
    }

    /** Asserts that the fault reaches the caller. */
    void assertFails() {
      if (!cell.textBefore().isEmpty()) {
        assertFailsInBand();
      } else if (FaultMatrixTest.isReportedAsIncomplete(cell)) {
        assertIncomplete();
      } else {
        assertRefused();
      }
    }

    void assertNamesBothProviders() {
      assertThat(response.body())
          .contains("\"previous_errors\"")
          .contains("\"" + cell.name(other) + "\"", "\"" + cell.otherProvider(other) + "\"");
    }

    void assertRefused() {
      Json.Obj body = response.document();
      assertThat(response.status()).as(response.body()).isEqualTo(code.status());
      assertThat(api.errorType(body)).as(response.body()).isEqualTo(code.type());
      assertThat(api.errorCode(body)).isEqualTo(api.expectedCode(code.status()));
      long wait = cell.fault().waitSeconds();
      assertThat(response.header("Retry-After")).isEqualTo(wait < 0 ? null : Long.toString(wait));
      assertThat(response.header("Content-Type")).isEqualTo("application/json");
      assertNothingLeaks();
    }

    /** Asserts an incomplete answer without text. */
    void assertIncomplete() {
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      List<Json.Obj> frames = cell.streaming() ? response.frames() : List.of(response.document());
      Json.Obj last = frames.getLast();
      Json.Obj answer = cell.streaming() ? last.object("response") : last;
      assertThat(Objects.requireNonNull(answer).text("status")).isEqualTo("incomplete");
      assertThat(texts(frames)).isEmpty();
    }

    void assertAnswered() {
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      assertThat(healthyRequests).as("requests to the healthy upstream").isEqualTo(1);
      assertThat(response.header("Retry-After")).isNull();
      assertNothingLeaks();
      if (cell.streaming()) {
        List<Json.Obj> frames = response.frames();
        assertThat(texts(frames)).isEqualTo(FaultMatrixGateway.ANSWER);
        assertThat(frames).filteredOn(frame -> api.inBandErrorType(frame) != null).isEmpty();
        assertThat(frames).filteredOn((Predicate<Json.Obj>) api::isEnd).hasSize(1);
      } else {
        assertThat(api.text(response.document())).isEqualTo(FaultMatrixGateway.ANSWER);
      }
    }

    void assertFailsInBand() {
      assertThat(response.status()).isEqualTo(200);
      assertThat(healthyRequests).as("requests to the healthy upstream").isZero();
      List<Json.Obj> frames = response.frames();
      assertThat(texts(frames)).as(response.body()).isEqualTo(cell.textBefore());
      assertThat(frames).as("no frame claims success").noneMatch(api::hasFinishReason);
      assertThat(frames).filteredOn(frame -> api.inBandErrorType(frame) != null).hasSize(1);
      Json.Obj last = frames.getLast();
      assertThat(api.inBandErrorType(last)).as(response.body()).isEqualTo(code.type());
      assertThat(api.repeatedText(last)).isIn(null, cell.textBefore());
      assertNothingLeaks();
    }

    private String texts(List<Json.Obj> frames) {
      var text = new StringBuilder();
      frames.forEach(frame -> text.append(api.delta(frame)));
      return text.toString();
    }

    private void assertNothingLeaks() {
      assertThat(response.body()).doesNotContain(UpstreamError.SECRET, "<html>");
    }

    void assertRecordedAndBilled() {
      CallRecord record = gateway.record();
      boolean answered = other == OtherEndpoint.HEALTHY && cell.triesOtherEndpoint();
      assertThat(record.outcome())
          .isEqualTo(answered ? CallRecord.Outcome.COMPLETE : CallRecord.Outcome.ERROR);
      assertThat(record.error()).isEqualTo(answered ? null : code);
      assertThat(record.billLines()).as("attempts").hasSize(attempts);
      assertThat(record.cost()).as("billed").isEqualTo(settled);
      CallRecord.BillLine last = record.billLines().getLast();
      boolean delivered = answered || !cell.textBefore().isEmpty();
      assertThat(last.usage().completionTokens() > 0)
          .as("has completion tokens")
          .isEqualTo(delivered);
      // an answer that ends in an error is free
      assertThat(settled.nanos() > 0).as("is charged").isEqualTo(answered);
      gateway.assertHoldEndedOnce();
      assertThat(gateway.balance().held()).as("held").isEqualTo(Charge.ZERO);
    }
  }
}
