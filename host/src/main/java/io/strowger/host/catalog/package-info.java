/**
 * Turns public price lists and listings of other gateways into configurations. Pure functions from
 * JSON to JSON; start reading at {@link io.strowger.host.catalog.CatalogImport}.
 */
@NullMarked
package io.strowger.host.catalog;

import org.jspecify.annotations.NullMarked;
