/**
 * The public view of a catalog: models, endpoints with their statistics, and providers, as a caller
 * may see them. Start reading at {@link io.strowger.core.listing.CatalogListing}.
 */
@NullMarked
package io.strowger.core.listing;

import org.jspecify.annotations.NullMarked;
