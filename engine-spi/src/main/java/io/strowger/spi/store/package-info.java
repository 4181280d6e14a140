/**
 * The SPI for authors of stores. Start reading at {@link io.strowger.spi.store.Stores}.
 *
 * <p><b>A store</b> keeps documents, money and records of a gateway:
 *
 * <ul>
 *   <li>what it implements: {@link io.strowger.spi.store.Stores}, {@link
 *       io.strowger.spi.store.DocumentStore}, {@link io.strowger.spi.store.LedgerStore}, {@link
 *       io.strowger.spi.store.GenerationStore}, {@link io.strowger.spi.store.AuditStore}, {@link
 *       io.strowger.spi.store.BatchStore}, {@link io.strowger.spi.store.BatchQueue}.
 *   <li>what it keeps: {@link io.strowger.spi.store.Document}, {@link
 *       io.strowger.spi.store.AuditEntry}, {@link io.strowger.spi.store.Posting}, {@link
 *       io.strowger.spi.store.LedgerEntry}, {@link io.strowger.spi.store.Charge}, {@link
 *       io.strowger.spi.store.Period}.
 *   <li>what these consist of: {@link io.strowger.spi.catalog.Usd}, {@link
 *       io.strowger.spi.model.Usage}, {@link io.strowger.spi.observe.CallRecord}, {@link
 *       io.strowger.spi.json.Json}.
 *   <li>how it fails: {@link io.strowger.spi.store.StoreUnavailableException}, {@link
 *       io.strowger.spi.store.StoreRefusedException}.
 *   <li>time and threads: {@link io.strowger.spi.ambient.Ambient}.
 * </ul>
 */
@NullMarked
package io.strowger.spi.store;

import org.jspecify.annotations.NullMarked;
