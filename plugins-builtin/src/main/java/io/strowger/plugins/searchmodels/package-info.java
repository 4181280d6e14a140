/**
 * The server tool {@code router:experimental__search_models}: finds models of the catalog. Start
 * reading at {@link io.strowger.plugins.searchmodels.SearchModelsTool}.
 */
@NullMarked
package io.strowger.plugins.searchmodels;

import org.jspecify.annotations.NullMarked;
