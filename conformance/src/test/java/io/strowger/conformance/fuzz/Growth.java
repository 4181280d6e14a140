package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.strowger.spi.json.Json;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a longer body costs more. Measured in bytes allocated by this thread, which is exact on a
 * busy machine, where time is not; scans that allocate nothing are {@link LinearTimeTest}'s.
 */
final class Growth {
  private static final int SMALL = 64;
  private static final int TIMES = 4;

  /** Between four times, which is linear, and sixteen, which is quadratic. */
  private static final double MOST = 1.6 * TIMES;

  private static final long SLACK_BYTES = 64 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Growth() {}

  /** Makes the first list of the body long, then four times as long, and compares. */
  static void bounded(Json.Obj body, Consumer<Json.Obj> decode) {
    Json.Obj small = (Json.Obj) repeated(body, SMALL);
    Json.Obj large = (Json.Obj) repeated(body, SMALL * TIMES);
    if (small == null || large == null) {
      return;
    }
    long before = allocated(small, decode);
    long after = allocated(large, decode);
    assertThat((double) after)
        .as("bytes for a list %s times as long as one that takes %s", TIMES, before)
        .isLessThan(before * MOST + SLACK_BYTES);
  }

  private static long allocated(Json.Obj body, Consumer<Json.Obj> decode) {
    decode.accept(body); // text is decoded only once
    long start = THREADS.getCurrentThreadAllocatedBytes();
    decode.accept(body);
    return THREADS.getCurrentThreadAllocatedBytes() - start;
  }

  /** The same value with its first list filled up; null when it has none. */
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
