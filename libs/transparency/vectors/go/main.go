// Command vectors writes test vectors of transparency logs, or checks a log, with the code of Go's checksum database.
//
//	go run . vectors > ../logs.json
//	go run . check < log.json
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	fnote "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = h[x]
	}
	return out, nil
}

type inclusion struct {
	Size, Index int64
	Proof       []string
}

type consistency struct {
	Before, After int64
	Proof         []string
}

type vectors struct {
	Leaves      int64
	Roots       map[string]string
	Inclusion   []inclusion
	Consistency []consistency
	Tiles       map[string][]string
	VerifierKey string
	PrivateKey  string
	Note        string
	WitnessKey  string
	// Cosigned has the time of its making: it differs from run to run.
	Cosigned string
}

func entry(n int64) []byte { return []byte(fmt.Sprintf("leaf %d", n)) }

func texts(proof []tlog.Hash) []string {
	out := make([]string, len(proof))
	for i, h := range proof {
		out[i] = h.String()
	}
	return out
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func makeVectors() vectors {
	const leaves = 1100
	var stored hashes
	for n := int64(0); n < leaves; n++ {
		stored = append(stored, must(tlog.StoredHashes(n, entry(n), stored))...)
	}
	v := vectors{Leaves: leaves, Roots: map[string]string{}, Tiles: map[string][]string{}}
	sizes := []int64{1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 511, 512, 513, 767, 1000, 1024, 1100}
	for i, size := range sizes {
		v.Roots[fmt.Sprint(size)] = must(tlog.TreeHash(size, stored)).String()
		for _, index := range []int64{0, size / 3, size / 2, size - 1} {
			v.Inclusion = append(v.Inclusion, inclusion{size, index, texts(must(tlog.ProveRecord(size, index, stored)))})
		}
		for _, before := range sizes[:i+1] {
			v.Consistency = append(v.Consistency, consistency{before, size, texts(must(tlog.ProveTree(size, before, stored)))})
		}
	}
	for _, size := range []int64{5, 256, 300, 1100} {
		paths := []string{}
		for _, tile := range tlog.NewTiles(8, 0, size) {
			paths = append(paths, strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		}
		v.Tiles[fmt.Sprint(size)] = paths
	}
	for _, index := range []int64{0, 999, 1000, 1234067, 999999999} {
		v.Tiles[fmt.Sprintf("index %d", index)] = []string{strings.Replace(tlog.Tile{H: 8, L: 0, N: index, W: 256}.Path(), "tile/8/", "tile/", 1)}
	}
	v.PrivateKey, v.VerifierKey = must2(note.GenerateKey(fixed{}, "vectors.example/log"))
	text := fmt.Sprintf("vectors.example/log\n%d\n%s\n", leaves, v.Roots[fmt.Sprint(leaves)])
	v.Note = string(must(note.Sign(&note.Note{Text: text}, must(note.NewSigner(v.PrivateKey)))))
	witnessSecret, witnessKey := must2(note.GenerateKey(fixed{}, "vectors.example/witness"))
	v.WitnessKey = must(fnote.VKeyToCosignatureV1(witnessKey))
	opened := must(note.Open([]byte(v.Note), note.VerifierList(must(note.NewVerifier(v.VerifierKey)))))
	v.Cosigned = string(must(note.Sign(opened, must(fnote.NewSignerForCosignatureV1(witnessSecret)))))
	return v
}

func must2(a, b string, err error) (string, string) {
	must(0, err)
	return a, b
}

// fixed is a source of bytes that are not random.
type fixed struct{}

func (fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(i + 1)
	}
	return len(p), nil
}

type checked struct {
	VerifierKey, Before, After string
	Consistency                []string
	Entry                      string
	Index                      int64
	Inclusion                  []string
}

func head(text string, verifier note.Verifier) (int64, tlog.Hash) {
	opened := must(note.Open([]byte(text), note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	var size int64
	must(fmt.Sscan(lines[1], &size))
	return size, must(tlog.ParseHash(lines[2]))
}

func parsed(texts []string) []tlog.Hash {
	out := make([]tlog.Hash, len(texts))
	for i, text := range texts {
		out[i] = must(tlog.ParseHash(text))
	}
	return out
}

func check() {
	var c checked
	must(0, json.NewDecoder(os.Stdin).Decode(&c))
	verifier := must(note.NewVerifier(c.VerifierKey))
	before, old := head(c.Before, verifier)
	after, root := head(c.After, verifier)
	must(0, tlog.CheckTree(parsed(c.Consistency), after, root, before, old))
	leaf := tlog.RecordHash(must(base64.StdEncoding.DecodeString(c.Entry)))
	must(0, tlog.CheckRecord(parsed(c.Inclusion), after, root, c.Index, leaf))
	fmt.Printf("consistent from %d to %d, leaf %d included\n", before, after, c.Index)
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "check" {
		check()
		return
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	must(0, out.Encode(makeVectors()))
}
