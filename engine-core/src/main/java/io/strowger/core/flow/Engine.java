package io.strowger.core.flow;

import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.Ledger;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every request of one gateway shares.
 *
 * @param ambient time, chance, threads
 * @param ledger counts money
 * @param watchdog keeps deadlines
 * @param stickiness remembers who served a conversation
 * @param codec reads what models wrote
 * @param plugins the plugins there are
 * @param sinks are told of every finished call
 * @param current the configuration as of now; null once the gateway is closed
 */
public record Engine(
    Ambient ambient,
    Ledger ledger,
    Watchdog watchdog,
    Stickiness stickiness,
    JsonCodec codec,
    PluginRegistry plugins,
    List<TraceSink> sinks,
    Supplier<@Nullable Snapshot> current) {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);

  public Engine {
    sinks = List.copyOf(sinks);
  }

  /** Tells every sink; one that fails changes nothing. */
  void observe(CallRecord record) {
    for (TraceSink sink : sinks) {
      try {
        sink.accept(record);
      } catch (RuntimeException | Error e) {
        log.error("a sink failed on {}", record.id(), e);
      }
    }
  }
}
