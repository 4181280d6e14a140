package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;

@Label("Rolling statistics")
class RollingProperties {
  private static final int[] PERCENT = {50, 75, 90, 99};
  private static final long SLOT = Duration.ofSeconds(30).toNanos();

  @Proves("open.29")
  @Property
  @Label("have the nearest-rank percentiles to within 1/32, counted from the good end")
  void percentiles(
      @ForAll @Size(min = 1, max = 300) List<@LongRange(min = 1 << 10, max = 1 << 28) Long> values,
      @ForAll boolean lowerTail) {
    var speeds = RollingSpeeds.ofFiveMinutes(new LogLinearBuckets(10), lowerTail);
    values.forEach(value -> speeds.record(0, value));
    var sorted = new ArrayList<>(values);
    sorted.sort(lowerTail ? (a, b) -> Long.compare(b, a) : Long::compare);
    RollingSpeeds.Measurement measured = speeds.measure(0);
    long[] percentiles = Objects.requireNonNull(measured.percentiles());
    assertThat(measured.samples()).isEqualTo(values.size());
    for (int i = 0; i < PERCENT.length; i++) {
      long exact = sorted.get((int) Math.ceil(PERCENT[i] * values.size() / 100.0) - 1);
      assertThat((double) percentiles[i]).isCloseTo(exact, Offset.offset(exact / 32.0));
    }
  }

  @Property
  @Label("have the speeds of eleven half minutes, and drop those that are older or come too late")
  void speedsRoll(@ForAll @Size(max = 60) List<@IntRange(max = 40) Integer> halfMinutes) {
    var speeds = RollingSpeeds.ofFiveMinutes(new LogLinearBuckets(10), false);
    long newest = 0;
    for (int number : halfMinutes) {
      newest = Math.max(newest, number);
    }
    var inOrder = new ArrayList<>(halfMinutes);
    inOrder.sort(null);
    inOrder.forEach(number -> speeds.record(number * SLOT, 5_000));
    long last = newest;
    long expected = halfMinutes.stream().filter(number -> last - number < 11).count();
    assertThat(speeds.measure(last * SLOT).samples()).isEqualTo((int) expected);
    if (!halfMinutes.isEmpty()) {
      speeds.record((last + 11) * SLOT, 5_000);
      speeds.record(last * SLOT, 5_000); // its slot has been reused
      assertThat(speeds.measure((last + 11) * SLOT).samples()).isEqualTo(1);
    }
  }

  @Property
  @Label("have the speeds of seven times five minutes, for display")
  void halfAnHour(@ForAll @Size(max = 60) List<@IntRange(max = 25) Integer> times) {
    long slot = Duration.ofMinutes(5).toNanos();
    var speeds = RollingSpeeds.ofHalfAnHour(new LogLinearBuckets(10), false);
    var inOrder = new ArrayList<>(times);
    inOrder.sort(null);
    inOrder.forEach(number -> speeds.record(number * slot, 5_000));
    long last = inOrder.isEmpty() ? 0 : inOrder.getLast();
    long expected = inOrder.stream().filter(number -> last - number < 7).count();
    assertThat(speeds.measure(last * slot).samples()).isEqualTo((int) expected);
    int before = speeds.bytes();
    speeds.dropExpired((last + 7) * slot);
    assertThat(speeds.bytes()).isLessThanOrEqualTo(before);
    assertThat(speeds.measure((last + 7) * slot).samples()).isZero();
    assertThat(speeds.bytes()).isEqualTo(80);
  }

  @Property
  @Label("have the counts of whole slots and of the current one")
  void counts(
      @ForAll @Size(max = 60) List<@IntRange(max = 50) Integer> times,
      @ForAll @IntRange(max = 60) int later,
      @ForAll @IntRange(min = 1, max = 10) int slots) {
    var count = new RollingCount(Duration.ofNanos(slots), slots);
    var inOrder = new ArrayList<>(times);
    inOrder.sort(null);
    inOrder.forEach(time -> count.add(time));
    long now = 50L + later;
    for (int back = 1; back <= slots; back++) {
      long since = now - back;
      long kept = inOrder.stream().filter(time -> time >= since).count();
      assertThat(count.sum(now, back)).isEqualTo(kept);
    }
    assertThat(count.sum(now)).isEqualTo(count.sum(now, slots));
  }
}
