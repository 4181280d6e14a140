/**
 * The plugin auto-beta-router: the beta of auto-router, for requests to router/auto-beta. Start
 * reading at {@link io.strowger.plugins.autobetarouter.AutoBetaRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.autobetarouter;

import org.jspecify.annotations.NullMarked;
