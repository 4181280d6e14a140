package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.strowger.spi.json.Json;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asserts that the memory for decoding a body grows linearly with its length. The bytes that a
 * thread allocates can be measured exactly even on a busy machine, unlike time. Scans that allocate
 * nothing are tested by {@link LinearTimeTest}.
 */
final class AllocationGrowth {
  private static final int SMALL = 64;
  private static final int FACTOR = 4;

  /** The maximum growth: between 4 times, which is linear, and 16 times, which is quadratic. */
  private static final double MAX_GROWTH = 1.6 * FACTOR;

  private static final long SLACK_BYTES = 64 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationGrowth() {}

  /** Compares the memory for the body with a long first list and with one four times as long. */
  static void assertLinear(Json.Obj body, Consumer<Json.Obj> decode) {
    Json.Obj small = (Json.Obj) repeated(body, SMALL);
    Json.Obj large = (Json.Obj) repeated(body, SMALL * FACTOR);
    if (small == null || large == null) {
      return;
    }
    long before = allocated(small, decode);
    long after = allocated(large, decode);
    assertThat((double) after)
        .as("bytes for a list %s times as long as one that takes %s", FACTOR, before)
        .isLessThan(before * MAX_GROWTH + SLACK_BYTES);
  }

  private static long allocated(Json.Obj body, Consumer<Json.Obj> decode) {
    decode.accept(body); // decodes texts, which are cached
    long start = THREADS.getCurrentThreadAllocatedBytes();
    decode.accept(body);
    return THREADS.getCurrentThreadAllocatedBytes() - start;
  }

  /** Returns the value with its first list repeated to this length; null when it has no list. */
  private static @Nullable Json repeated(Json json, int length) {
    if (json instanceof Json.Arr items && !items.isEmpty()) {
      var many = new ArrayList<Json>(length);
      while (many.size() < length) {
        many.addAll(items);
      }
      return Json.array(many.subList(0, length));
    }
    if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        Json longer = repeated(object.value(i), length);
        if (longer != null) {
          return object.with(object.name(i), longer);
        }
      }
    }
    return null;
  }
}
