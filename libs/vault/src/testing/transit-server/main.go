// A server of Vault for the tests of the key service: its core, its tokens, policies and HTTP interface, and its transit engine at the mount
// "transit". All of it lies in memory. The argument is the policy of the only token that is given away.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"syscall"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/vault/builtin/logical/transit"
	"github.com/hashicorp/vault/helper/namespace"
	"github.com/hashicorp/vault/helper/testhelpers/corehelpers"
	vaulthttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/internalshared/configutil"
	"github.com/hashicorp/vault/sdk/framework"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
)

type fields = map[string]interface{}

func main() {
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	ctx := namespace.RootContext(context.Background())
	core, root := open(ctx)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	handler := vaulthttp.Handler.Handler(&vault.HandlerProperties{Core: core, ListenerConfig: &configutil.Listener{}})
	go func() { log.Fatal(http.Serve(listener, handler)) }()

	write := func(path string, data fields) *logical.Response {
		request := &logical.Request{Operation: logical.UpdateOperation, ClientToken: root, Path: path, Data: data}
		response := must(core.HandleRequest(ctx, request))
		if response.IsError() {
			log.Fatal(response.Error())
		}
		return response
	}
	write("sys/mounts/transit", fields{"type": "transit"})
	write("sys/policies/acl/opendsr", fields{"policy": os.Args[1]})
	made := write("auth/token/create", fields{"policies": []string{"opendsr"}, "no_default_policy": true})
	ready := fields{"url": "http://" + listener.Addr().String(), "token": made.Auth.ClientToken}
	check(json.NewEncoder(os.Stdout).Encode(ready))
	<-stop.Done()
}

// open starts an empty core, unsealed, and returns it with its root token.
func open(ctx context.Context) (*vault.Core, string) {
	quiet := hclog.NewNullLogger()
	core := must(vault.NewCore(&vault.CoreConfig{
		Physical:        must(inmem.NewInmem(nil, quiet)),
		LogicalBackends: map[string]logical.Factory{"transit": newTransit},
		BuiltinRegistry: corehelpers.NewMockBuiltinRegistry(),
		Logger:          quiet,
		DisableMlock:    true,
	}))
	one := &vault.SealConfig{SecretShares: 1, SecretThreshold: 1}
	made := must(core.Initialize(ctx, &vault.InitParams{BarrierConfig: one, RecoveryConfig: one}))
	if !must(core.Unseal(made.SecretShares[0])) {
		log.Fatal("the core stays sealed")
	}
	// The core hands its backend "sys" to nobody.
	system := (*vault.SystemBackend)(reflect.ValueOf(core).Elem().FieldByName("systemBackend").UnsafePointer())
	system.Paths = withoutRefused(system.Paths)
	return core, made.RootToken
}

func newTransit(ctx context.Context, config *logical.BackendConfig) (logical.Backend, error) {
	engine := must(transit.Backend(ctx, config))
	engine.Paths = withoutRefused(engine.Paths)
	return engine, engine.Setup(ctx, config)
}

// withoutRefused leaves out the paths for which the SDK of the Go proxy, a little newer than this server, refuses all others: they create
// something, and do not say whether it is there already. Those are transit/cache-config, and sys/managed-keys, which Enterprise alone has.
func withoutRefused(paths []*framework.Path) []*framework.Path {
	return slices.DeleteFunc(paths, func(path *framework.Path) bool {
		return path.ExistenceCheck == nil && path.Operations[logical.CreateOperation] != nil
	})
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
