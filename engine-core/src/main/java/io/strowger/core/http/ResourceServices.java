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
 * @param stores the stores of resources and records
 * @param watch keeps copies of documents up to date; writes through it are visible at once
 * @param account the account with its keys, members, guardrails and workspaces
 * @param ledger the ledger of what was spent
 * @param ambient clock and random numbers
 * @param presets the stored presets
 * @param counts counts the tokens of prompts
 * @param batches the stored batches
 * @param destinations the stored observability destinations
 * @param broadcaster delivers calls to the destinations
 * @param current supplies the current snapshot; null once the gateway is closed
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
