package io.strowger.core.wire;

import io.strowger.core.flow.Snapshot;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Stores;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the services of resources work with.
 *
 * @param stores where resources and records are kept
 * @param ledger counts money
 * @param ambient time and chance
 * @param current the configuration as of now; null once the gateway is closed
 */
public record Resources(
    Stores stores, Ledger ledger, Ambient ambient, Supplier<@Nullable Snapshot> current) {}
