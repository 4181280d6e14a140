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
 * Each fault of {@link Faults} in each dialect, streamed and not: what the caller is told when
 * nobody else can be asked, and what becomes of it when somebody can.
 */
@DisplayName("When an upstream misbehaves")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultMatrixTest {
  private static final List<Cell> CELLS = Cell.all();

  private @Nullable Switchboard still;
  private @Nullable Switchboard real;

  @BeforeAll
  void open() throws IOException {
    still = new Switchboard(CELLS.stream().filter(cell -> !isReal(cell)).toList(), false);
    real = new Switchboard(CELLS.stream().filter(FaultMatrixTest::isReal).toList(), true);
  }

  @AfterAll
  void nothingIsLeft() {
    Objects.requireNonNull(still).close();
    Objects.requireNonNull(real).close();
  }

  private static boolean isReal(Cell cell) {
    return cell.wrong().time() == Wrong.Time.REAL;
  }

  private Switchboard switchboard(Cell cell) {
    return Objects.requireNonNull(isReal(cell) ? real : still);
  }

  @Test
  @DisplayName("every front meets every fault, streamed and not")
  void complete() {
    assertThat(CELLS).hasSizeGreaterThan(300);
    for (Wrong wrong : Faults.all()) {
      for (boolean streaming : new boolean[] {true, false}) {
        List<Cell> cells =
            CELLS.stream()
                .filter(c -> c.wrong().toString().equals(wrong.toString()))
                .filter(c -> c.streaming() == streaming)
                .toList();
        if (cells.stream().map(Cell::vendor).distinct().count() == Vendor.values().length) {
          assertThat(cells).extracting(Cell::front).contains(Front.values());
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
  @DisplayName("and nobody else can be asked, the caller is told")
  void alone(Cell cell) throws IOException, InterruptedException {
    var exchange = new Exchange(cell, Company.NOBODY);
    exchange.fails();
    exchange.isAccountedFor();
  }

  @Proves("routing.fallback.next-endpoint")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("and another may be asked, it answers whenever nothing was said yet")
  void another(Cell cell) throws IOException, InterruptedException {
    var exchange = new Exchange(cell, Company.HEALTHY);
    if (cell.isMadeGood()) {
      exchange.isAnswered();
    } else {
      exchange.fails();
    }
    exchange.isAccountedFor();
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("and so does every other, the caller gets one error for all of them")
  void everybody(Cell cell) throws IOException, InterruptedException {
    var exchange = new Exchange(cell, Company.BROKEN);
    if (cell.isMadeGood()) {
      exchange.isRefused();
      exchange.namesBoth();
    } else {
      exchange.fails();
    }
    exchange.isAccountedFor();
  }

  /** The responses dialect has an answer for what is too long. */
  private static boolean isAnswered(Cell cell) {
    return cell.front() == Front.RESPONSES
        && cell.wrong().alone(cell.vendor()) == ErrorCode.CONTEXT_LENGTH_EXCEEDED;
  }

  /** One request and everything it left behind. */
  private final class Exchange {
    private final Cell cell;
    private final Front front;
    private final ErrorCode code;
    private final int attempts;
    private final Company company;
    private final Switchboard board;
    private final Usd settled;
    private final long healthy;
    private final Heard heard;

    Exchange(Cell cell, Company company) throws IOException, InterruptedException {
      this.cell = cell;
      this.front = cell.front();
      boolean all = company == Company.BROKEN && cell.isMadeGood();
      this.code = all ? ErrorCode.TEMPORARILY_UNAVAILABLE : cell.wrong().alone(cell.vendor());
      this.attempts = company != Company.NOBODY && cell.isMadeGood() ? 2 : 1;
      this.company = company;
      this.board = switchboard(cell);
      Usd before = board.balance().settled().credits();
      long asked = board.askedHealthy();
      this.heard = board.ask(cell, company);
      this.settled = board.balance().settled().credits().minus(before);
      this.healthy = board.askedHealthy() - asked;
    }

    /** What nobody makes good. */
    void fails() {
      if (!cell.said().isEmpty()) {
        endsInBand();
      } else if (FaultMatrixTest.isAnswered(cell)) {
        isCutShort();
      } else {
        isRefused();
      }
    }

    void namesBoth() {
      assertThat(heard.body())
          .contains("\"previous_errors\"")
          .contains("\"" + cell.name(company) + "\"", "\"" + cell.other(company) + "\"");
    }

    void isRefused() {
      Json.Obj body = heard.document();
      assertThat(heard.status()).as(heard.body()).isEqualTo(code.status());
      assertThat(front.errorType(body)).as(heard.body()).isEqualTo(code.type());
      assertThat(front.errorWord(body)).isEqualTo(front.word(code.status()));
      long wait = cell.wrong().waitSeconds();
      assertThat(heard.header("Retry-After")).isEqualTo(wait < 0 ? null : Long.toString(wait));
      assertThat(heard.header("Content-Type")).isEqualTo("application/json");
      nothingLeaks();
    }

    /** Said as an answer that could not be longer. */
    void isCutShort() {
      assertThat(heard.status()).as(heard.body()).isEqualTo(200);
      List<Json.Obj> frames = cell.streaming() ? heard.frames() : List.of(heard.document());
      Json.Obj last = frames.getLast();
      Json.Obj response = cell.streaming() ? last.object("response") : last;
      assertThat(Objects.requireNonNull(response).text("status")).isEqualTo("incomplete");
      assertThat(texts(frames)).isEmpty();
    }

    void isAnswered() {
      assertThat(heard.status()).as(heard.body()).isEqualTo(200);
      assertThat(healthy).as("requests to the healthy one").isEqualTo(1);
      assertThat(heard.header("Retry-After")).isNull();
      nothingLeaks();
      if (cell.streaming()) {
        List<Json.Obj> frames = heard.frames();
        assertThat(texts(frames)).isEqualTo(Switchboard.ANSWER);
        assertThat(frames).filteredOn(frame -> front.inBand(frame) != null).isEmpty();
        assertThat(frames).filteredOn((Predicate<Json.Obj>) front::isEnd).hasSize(1);
      } else {
        assertThat(front.text(heard.document())).isEqualTo(Switchboard.ANSWER);
      }
    }

    void endsInBand() {
      assertThat(heard.status()).isEqualTo(200);
      assertThat(healthy).as("requests to the healthy one").isZero();
      List<Json.Obj> frames = heard.frames();
      assertThat(texts(frames)).as(heard.body()).isEqualTo(cell.said());
      assertThat(frames).as("a clean end").noneMatch(front::isStop);
      assertThat(frames).filteredOn(frame -> front.inBand(frame) != null).hasSize(1);
      Json.Obj last = frames.getLast();
      assertThat(front.inBand(last)).as(heard.body()).isEqualTo(code.type());
      assertThat(front.repeated(last)).isIn(null, cell.said());
      nothingLeaks();
    }

    private String texts(List<Json.Obj> frames) {
      var text = new StringBuilder();
      frames.forEach(frame -> text.append(front.delta(frame)));
      return text.toString();
    }

    private void nothingLeaks() {
      assertThat(heard.body()).doesNotContain(Complaint.SECRET, "<html>");
    }

    void isAccountedFor() {
      CallRecord record = board.record();
      boolean good = company == Company.HEALTHY && cell.isMadeGood();
      assertThat(record.outcome())
          .isEqualTo(good ? CallRecord.Outcome.COMPLETE : CallRecord.Outcome.ERROR);
      assertThat(record.error()).isEqualTo(good ? null : code);
      assertThat(record.billLines()).as("attempts").hasSize(attempts);
      assertThat(record.cost()).as("billed").isEqualTo(settled);
      CallRecord.BillLine last = record.billLines().getLast();
      boolean delivered = good || !cell.said().isEmpty();
      assertThat(last.usage().completionTokens() > 0).as("is counted").isEqualTo(delivered);
      // what ends in an error is free
      assertThat(settled.nanos() > 0).as("is charged").isEqualTo(good);
      board.assertHoldEndedOnce();
      assertThat(board.balance().held()).as("held").isEqualTo(Charge.ZERO);
    }
  }
}
