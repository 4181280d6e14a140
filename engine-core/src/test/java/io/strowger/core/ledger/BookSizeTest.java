package io.strowger.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("memory is measured")
@DisplayName("The book of a key that many threads use on each of nine days")
class BookSizeTest {
  private static final int BOOKS = 300;
  private static final int DAYS = 9;

  /**
   * The most for one book: 32 stripes of less than 200 bytes for the current day, and some 600
   * bytes for each day before.
   */
  private static final long MAX_BYTES = 16_000;

  private final Stripes stripes = new Stripes(16);

  private Book usedBook(int number) {
    var book = new Book(new Payer(Payer.Kind.KEY, "k" + number, List.of()), stripes);
    Instant day = Instant.parse("2026-11-21T12:00:00Z");
    for (int i = 0; i < DAYS; i++) {
      DayWindows windows = book.windowsFor(Day.of(day.plus(Duration.ofDays(i))));
      for (int stripe = 0; stripe < stripes.count(); stripe++) {
        windows.hold(stripe, LedgerFixture.nanos(5), 5);
        windows.settle(stripe, LedgerFixture.nanos(5), LedgerFixture.nanos(5), null);
      }
    }
    return book;
  }

  private static long usedMemory() {
    var garbage = new WeakReference<>(new Object());
    while (!garbage.refersTo(null)) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  @DisplayName("takes memory for every thread on the last day only")
  void size() {
    usedBook(0);
    long before = usedMemory();
    List<Book> books = new ArrayList<>();
    for (int i = 0; i < BOOKS; i++) {
      books.add(usedBook(i));
    }
    assertThat((usedMemory() - before) / BOOKS).isLessThan(MAX_BYTES);
    Reference.reachabilityFence(books);
  }
}
