package io.strowger.core.http;

import io.strowger.core.administration.AccountState;
import io.strowger.core.batch.Batches;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.inference.TokenCounts;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.Stores;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services and stores that the resource endpoints use.
 *
 * @param stores where resources and records are kept
 * @param watch keeps copies of documents up to date; what is written through it is seen at once
 * @param account keys, and what else there is of the account
 * @param ledger counts money
 * @param ambient clock and random numbers
 * @param presets the presets there are
 * @param counts says how long prompts are
 * @param batches the batches there are
 * @param destinations the observability destinations there are
 * @param broadcaster delivers to them
 * @param current the configuration as of now; null once the gateway is closed
 */
public record ResourceServices(
    Stores stores,
    StoreWatch watch,
    AccountState account,
    Ledger ledger,
    Ambient ambient,
    PresetDirectory presets,
    TokenCounts counts,
    Batches batches,
    Destinations destinations,
    Broadcaster broadcaster,
    Supplier<@Nullable Snapshot> current) {}
