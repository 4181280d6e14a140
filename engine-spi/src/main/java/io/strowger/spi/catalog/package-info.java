/**
 * The catalog that requests are routed over: models, their endpoints, prices, and the immutable
 * snapshot that holds them all. Start reading at {@link io.strowger.spi.catalog.Catalog}.
 */
@NullMarked
package io.strowger.spi.catalog;

import org.jspecify.annotations.NullMarked;
